import { sortedUnique } from '../../base/core/collections.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import { CODES, type Code } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, isOpen } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import { placeRow, printJson } from './diagnostics-document.ts';

/** The texts of a rule in code scanning. */
interface RuleTexts {
  /** One sentence. */
  readonly summary: string;
  /** A paragraph of plain text. */
  readonly description: string;
  readonly page: string;
}

interface SarifContext {
  /** The version of weft. */
  readonly version: string;
  readonly describe: (code: Code) => RuleTexts;
  /** A file's path from the root of the checkout. */
  readonly pathOf: (path: string) => string;
}

const LEVELS = { error: 'error', warning: 'warning', note: 'note' } as const;

/** Diagnostics in the Static Analysis Results Interchange Format 2.1.0 (OASIS), which code scanning reads. */
export function printSarif(diagnostics: readonly Diagnostic[], context: SarifContext): string {
  const codes = sortedUnique(diagnostics.map((it) => it.code));
  const fingerprints = fingerprinter(context.pathOf);
  const hasAccepted = !diagnostics.every(isOpen);
  return printJson({
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'weft', version: context.version, rules: codes.map((it) => ruleOf(it, context)) } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((it) => ({
          ruleId: it.code,
          ruleIndex: codes.indexOf(it.code),
          level: LEVELS[it.severity],
          message: { text: plainMessage(it.hint === undefined ? it.message : `${it.message} (${it.hint})`) },
          locations: [{ physicalLocation: locationOf(it.span, context.pathOf) }],
          ...relatedOf(it, context.pathOf),
          ...(hasAccepted ? { suppressions: suppressionsOf(it, context.pathOf) } : {}),
          partialFingerprints: { primaryLocationLineHash: fingerprints(it) },
        })),
      },
    ],
  });
}

/** A message has no links: `[text](target)` would be one. Source: SARIF 2.1.0, 3.11.6 "Messages with embedded links". */
const plainMessage = (text: string): string => visibleText(text).replace(/\]\(/g, '] (');

function ruleOf(code: Code, { describe }: SarifContext) {
  const { summary, description, page } = describe(code);
  return {
    id: code,
    shortDescription: { text: summary },
    fullDescription: { text: description },
    // SARIF requires the text for readers without Markdown, too. Source: SARIF 2.1.0, 3.12.4.
    help: { text: page, markdown: page },
    defaultConfiguration: { level: LEVELS[CODES[code]] },
  };
}

function relatedOf(it: Diagnostic, pathOf: SarifContext['pathOf']) {
  if (it.related.length === 0) return {};
  return {
    relatedLocations: it.related.map((other, id) => ({
      id,
      message: { text: plainMessage(other.message) },
      physicalLocation: locationOf(other.span, pathOf),
    })),
  };
}

/**
 * The acceptances of a result. Once one result has them, the others have an empty list.
 * Source: SARIF 2.1.0, 3.27.23 "suppressions property" and 3.35 "suppression object".
 */
const suppressionsOf = ({ accepted = [] }: Diagnostic, pathOf: SarifContext['pathOf']) =>
  accepted.map(({ reason, at }) => ({
    kind: 'inSource',
    justification: visibleText(reason),
    location: { physicalLocation: locationOf(at, pathOf) },
  }));

function locationOf(span: Span, pathOf: SarifContext['pathOf']) {
  const place = placeRow(span);
  return {
    artifactLocation: { uri: uriOf(pathOf(place.file)) },
    region: {
      startLine: place.line,
      startColumn: place.column,
      endLine: place.endLine,
      endColumn: place.endColumn,
    },
  };
}

/** A relative URI reference, or a file URI for an absolute path; `\` separates folders on Windows. */
function uriOf(path: string): string {
  const escaped = path
    .replace(/\p{Cs}/gu, '\ufffd')
    .split(/[\\/]/)
    .map(encodeURIComponent)
    .join('/');
  if (path.startsWith('/')) return `file://${escaped}`;
  return /^[A-Za-z]:[\\/]/.test(path) ? `file:///${escaped.replace('%3A', ':')}` : escaped;
}

/** GitLab's severities are info, minor, major, critical and blocker. */
const SEVERITIES = { error: 'critical', warning: 'minor', note: 'info' } as const;

/**
 * Prints diagnostics that GitLab shows at their lines in a merge request; accepted ones are left out. `pathOf` returns
 * a file's path from the root of the checkout. Source: docs.gitlab.com, "Code Quality", "Code Quality report format".
 */
export function printCodeQuality(diagnostics: readonly Diagnostic[], pathOf: (path: string) => string): string {
  const fingerprints = fingerprinter(pathOf);
  return printJson(
    diagnostics.filter(isOpen).map((it) => {
      const { file, line } = placeRow(it.span);
      return {
        description: visibleText(it.hint === undefined ? it.message : `${it.message} (${it.hint})`),
        check_name: it.code,
        fingerprint: fingerprints(it),
        severity: SEVERITIES[it.severity],
        location: { path: visibleText(pathOf(file)), lines: { begin: line } },
      };
    }),
  );
}

/**
 * Returns an identifier that stays the same across runs, even if lines above change: code, file and message, with a
 * counter for equal ones.
 */
function fingerprinter(pathOf: (path: string) => string): (it: Diagnostic) => string {
  const seen = new Map<string, number>();
  return (it) => {
    const hash = hashOf([it.code, pathOf(it.span.source.path), it.message].join('\n'));
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return `${hash}:${count}`;
  };
}

/** FNV-1a with 64 bits over UTF-16 code units, in hexadecimal: short and equal on every machine. It protects no secret. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

import { hasPassword } from '../../base/core/secrets.ts';
import { hiddenCharacterIn } from '../../base/core/visible-text.ts';
import type { Code } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic, inSourceOrder } from '../../base/diagnostics/diagnostic.ts';
import { documentDiagnostics, readBySchema } from '../../base/diagnostics/document-diagnostics.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { SchemaFile } from '../../base/diagnostics/schema/schema-diagnostic.ts';
import type { DocumentMap, DocumentNode } from '../../base/source/document-node.ts';
import { quotedPiece } from '../../base/source/document-problem.ts';
import { readDocument } from '../../base/source/read-document.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Source, Span } from '../../base/source/source.ts';

/** A kind of YAML file that users write. */
interface WrittenFile<T> extends Omit<SchemaFile, 'codes'> {
  readonly validate: Parameters<typeof readBySchema<T>>[1];
  /** Advice that is specific to this file. */
  readonly words?: Parameters<typeof documentDiagnostics>[1];
  /** Expands short forms into the form of the schema. */
  readonly inFull?: (root: DocumentMap) => DocumentMap;
  /** Finds mistakes that the schema cannot express. */
  readonly mistakesIn?: (root: DocumentMap) => readonly Diagnostic[];
}

interface WrittenDocument<T> {
  readonly source: Source;
  /** The source of `reading`. */
  readonly root: DocumentMap;
  readonly reading: Reading<T>;
}

const CODES = {
  unknownKey: 'topology/unknown-key',
  missingKey: 'topology/missing-key',
  wrongType: 'topology/wrong-type',
  wrongValue: 'topology/wrong-value',
} as const;

/** Reads such a file by its schema. Texts must not contain control characters or secrets. */
export function readWrittenFile<T>(source: Source, file: WrittenFile<T>): Outcome<WrittenDocument<T>> {
  const result = readDocument(source, { language: 'yaml' });
  if (!result.ok) return failure(documentDiagnostics(result.problems, file.words));
  const manifest = manifestInstead(result.root, file.what);
  if (manifest !== undefined) return failure([manifest]);
  return checkWrittenRoot(source, result.root, file);
}

/** Checks the content of such a file. Its parts may be of other sources, whose lines are not checked. */
export function checkWrittenRoot<T>(
  source: Source,
  written: DocumentMap,
  file: WrittenFile<T>,
): Outcome<WrittenDocument<T>> {
  const root = file.inFull?.(written) ?? written;
  const { reading, found } = readBySchema(root, file.validate, { ...file, codes: CODES });
  const hidden = controlCharacters(root, 'topology/control-character');
  // A key with a hidden character is also unknown, but is reported once.
  const places = new Set(hidden.map((it) => it.span.start));
  const all = [
    ...found.filter((it) => !places.has(it.span.start)),
    ...(file.mistakesIn?.(written) ?? []),
    ...hidden,
    ...hiddenLines(source, hidden),
    ...secretsInTexts(root, 'topology/secret'),
  ];
  return outcome({ source, root, reading }, inSourceOrder(all));
}

/** Reports a Kubernetes object in place of a file of weft once, instead of each of its keys. */
function manifestInstead({ entries }: DocumentMap, what: string): Diagnostic | undefined {
  const [version, kind] = [entries.get('apiVersion'), entries.get('kind')?.value];
  if (version === undefined || kind?.kind !== 'scalar') return undefined;
  const message = `this is an object of Kubernetes, of kind ${quotedPiece(String(kind.value))}, and not ${what}`;
  const hint = 'name another file; what Kubernetes gets is what "weft compile" writes into out/';
  return diagnostic(CODES.unknownKey, version.key, message, { hint });
}

/** Reports keys and strings with a password or a token, which would be committed in every generated file. */
function secretsInTexts(root: DocumentNode, code: Code): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const message = 'this text contains a password or a token';
  const hint =
    'remove it and revoke it, since the history of git keeps it; Argo CD and Flux read credentials from a Secret';
  visitTexts(root, (text, at) => {
    if (hasPassword(text)) found.push(diagnostic(code, at, message, { hint }));
  });
  return found;
}

/**
 * Reports keys and strings with characters that could break the line in which they are printed, or that are invisible
 * to a reviewer of a pull request.
 */
function controlCharacters(root: DocumentNode, code: Code): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  visitTexts(root, (text, at) => {
    const character = hiddenCharacterIn(text);
    if (character === undefined) return;
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const what = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufeff]/u.test(character) ? 'control' : 'hidden';
    const message = `this text contains the ${what} character U+${hex}`;
    found.push(diagnostic(code, at, message, { hint: `write it on one line, without ${what} characters` }));
  });
  return found;
}

/** Columns of blanks after which the rest of a line is out of sight. */
const FAR_COLUMNS = 300;

/**
 * Matches what a reader sees at another place than a parser, also in comments: characters that reorder a line, those
 * that some programs show as the end of a line (a carriage return alone among them), other control characters, and
 * blanks that move the rest of a line out of sight. A run of blanks is tried once, at its start.
 */
const HIDDEN_LINE = new RegExp(
  `[\\u202a-\\u202e\\u2066-\\u2069\\u2028\\u2029\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]|\\r(?!\\n)|(?<![ \\t])[ \\t]{${FAR_COLUMNS},}(?=[^ \\t\\n])`,
  'g',
);

/** Reports lines that are shown in another way than they are read, unless one of their texts is reported already. */
function hiddenLines(source: Source, reported: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...source.text.matchAll(HIDDEN_LINE)].flatMap(({ 0: found, index }) => {
    const end = index + found.length;
    if (reported.some(({ span }) => span.start <= index && end <= span.end)) return [];
    if (/^[ \t]/.test(found)) {
      const message = `${found.length} blanks move the rest of this line out of sight`;
      return diagnostic('source/hidden-text', { source, start: end, end: end + 1 }, message, {
        hint: 'remove the blanks',
      });
    }
    const hex = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const message = `this line contains the hidden character U+${hex}, so it is read in another way than it is shown`;
    return diagnostic('source/hidden-text', { source, start: index, end }, message, { hint: 'remove the character' });
  });
}

/** Visits every key and every string of a document, with its place. */
function visitTexts(node: DocumentNode, visit: (text: string, at: Span) => void): void {
  if (node.kind === 'scalar') {
    if (typeof node.value === 'string') visit(node.value, node.span);
  } else if (node.kind === 'list') {
    for (const item of node.items) visitTexts(item, visit);
  } else {
    node.entries.forEach(({ key, value }, name) => {
      visit(name, key);
      visitTexts(value, visit);
    });
  }
}

import { Composer, type CST, type Document, isScalar, type ParsedNode } from 'yaml';
import type { DocumentMap, DocumentNode } from './document-node.ts';
import { type DocumentProblem, type ParsedText, spanOnLine } from './document-problem.ts';
import { nodeOfYaml } from './node-of-yaml.ts';
import { readJson, readJsonRows } from './read-json.ts';
import { readQuickYaml, WRITTEN } from './read-quick-yaml.ts';
import { type Source, type Span, startOf } from './source.ts';
import { keyHint, syntaxProblems } from './syntax-problems.ts';
import { furtherDocuments, readTokens, tokenProblems } from './yaml-tokens.ts';

/**
 * The front end for YAML 1.2: one document of the core schema (a plain `no` is a string). Anchors, aliases, tags and
 * merge keys are refused, and every part keeps its place.
 */
function readYaml(source: Source): ParsedText {
  const [root] = readQuickYaml(source, WRITTEN) ?? [];
  return root ? { root, problems: [] } : readYamlText(source);
}

/** Reads YAML with the `yaml` package, which supports every text. */
export function readYamlText(source: Source): ParsedText {
  if (!HAS_CONTENT.test(source.text)) return { root: undefined, problems: [] };
  const early = source.text.length < LONG_TEXT ? [] : earlyProblems(source);
  if (early.length > 0) return { root: undefined, problems: early };
  const { document, problems } = compose(source, source.text);
  return problems.length > 0 ? { root: undefined, problems } : parsedText(source, document);
}

/** A line that is neither empty nor a comment. */
const HAS_CONTENT = /^[ \t\r\ufeff]*[^ \t\r\n\ufeff#]/m;

/** UTF-16 code units. Reading takes about a second per million, so a large broken file is reported early. */
const LONG_TEXT = 1 << 20;
const SAMPLE = 1 << 17;

/** The mistakes in the first part of a long text. The cut may cause errors near the end of the sample, which are ignored. */
function earlyProblems(source: Source): readonly DocumentProblem[] {
  const cut = source.text.lastIndexOf('\n', SAMPLE) + 1 || SAMPLE;
  const { document, problems } = compose(source, source.text.slice(0, cut), cut / 2);
  if (problems.length > 0) return problems;
  return parsedText(source, document).problems.filter((it) => KEY_PROBLEMS.has(it.kind) && it.span.start < cut / 2);
}

/** Problems that the rest of a text cannot change. */
const KEY_PROBLEMS: ReadonlySet<string> = new Set(['duplicate-key', 'key-not-a-string', 'anchor']);

interface Composed {
  readonly document: Document.Parsed<ParsedNode> | undefined;
  readonly problems: readonly DocumentProblem[];
}

/** Parses a text. The cut causes no errors before `trusted`; open brackets and quotes may be closed after it. */
function compose(source: Source, text: string, trusted = Number.POSITIVE_INFINITY): Composed {
  const result = readTokens(source, text, { documents: 'one' });
  if (!result.ok) return { document: undefined, problems: [result.problem] };
  const whole = trusted >= text.length;
  const inTokens = [...tokenProblems(source, result.tokens), ...furtherDocuments(source, result.tokens)].filter(
    (it) => whole || it.kind !== 'syntax',
  );
  if (inTokens.some((it) => it.kind !== 'syntax')) return { document: undefined, problems: inTokens };
  const document = composed(result.tokens, text.length);
  const inTree = syntaxProblems(
    source,
    (document?.errors ?? []).filter((it) => it.pos[0] < trusted),
  );
  // The composer's errors after an open bracket are wrong; a tab can be the reason for the open bracket.
  const tab = inTree.find((it) => it.kind === 'tab-indentation');
  return { document, problems: inTokens.length === 0 ? inTree : tab ? [tab] : inTokens };
}

function composed(tokens: readonly CST.Token[], length: number): Document.Parsed<ParsedNode> | undefined {
  // The package compares every pair of keys, which takes minutes for a large hub.
  const composer = new Composer<ParsedNode>({ version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false });
  return composer.compose(tokens, true, length).next().value ?? undefined;
}

function parsedText(source: Source, document: Document.Parsed<ParsedNode> | undefined): ParsedText {
  const contents = document?.contents;
  if (!contents || (isScalar(contents) && contents.source === '')) return { root: undefined, problems: [] };
  const problems: DocumentProblem[] = [];
  return { root: nodeOfYaml(source, contents, problems), problems };
}

/** `json-rows` is JSON in less memory, for readers that process the lists of the top map in order. */
type DocumentLanguage = 'yaml' | 'json' | 'json-rows';

export type DocumentResult =
  | { readonly ok: true; readonly root: DocumentMap }
  | { readonly ok: false; readonly problems: readonly DocumentProblem[] };

const FRONT_ENDS: Readonly<Record<DocumentLanguage, (source: Source) => ParsedText>> = {
  yaml: readYaml,
  json: readJson,
  'json-rows': readJsonRows,
};

/** The most mistakes that are reported for one file. */
const MOST_PROBLEMS = 100;

/**
 * Reads one document, a map, with the place of every part. A front end per language parses the syntax; the checks here
 * apply to every language.
 */
export function readDocument(source: Source, { language }: { readonly language: DocumentLanguage }): DocumentResult {
  const conflicts = mergeConflicts(source);
  if (conflicts.length > 0) return { ok: false, problems: conflicts };
  const { root, problems } = FRONT_ENDS[language](source);
  if (root !== undefined && root.kind !== 'map') return { ok: false, problems: [notAMap(root, language)] };
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MOST_PROBLEMS) };
  return root === undefined ? { ok: false, problems: [emptyFile(source)] } : { ok: true, root };
}

const emptyFile = (source: Source): DocumentProblem => ({
  kind: 'empty',
  message: 'the file is empty',
  span: startOf(source),
});

function notAMap({ kind, span }: DocumentNode, language: DocumentLanguage): DocumentProblem {
  const shown = spanOnLine(span.source, span.start, span.end);
  const text = span.source.text.slice(shown.start, shown.end);
  return {
    kind: 'not-a-map',
    message: `the file must be a map of keys, not ${kind === 'list' ? 'a list' : 'a single value'}`,
    span: shown,
    hint: language === 'yaml' ? yamlMapHint(kind, text) : 'start it with { and end it with }',
  };
}

const yamlMapHint = (kind: DocumentNode['kind'], text: string): string =>
  kind === 'list' || /^[\w./-]+$/.test(text) ? MAP_HINT : (keyHint(text) ?? MAP_HINT);

const MAP_HINT = 'write keys with values, like `key: value`';

/** The markers of git for merge conflicts; `|||||||` with merge.conflictStyle diff3 and zdiff3. */
const CONFLICT_MARKER = /^(<{7}|={7}|>{7}|\|{7})(?: .*|\r?)$/gm;

/** The unresolved merge conflicts, each with both ends. A marker without its counterpart is also one. */
function mergeConflicts(source: Source): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  let open: Span | undefined;
  for (const found of source.text.matchAll(CONFLICT_MARKER)) {
    const span = { source, start: found.index, end: found.index + found[0].trimEnd().length };
    const marker = found[1]?.charAt(0);
    if (marker === '<') {
      if (open) problems.push(conflict(open));
      open = span;
    } else if (marker === '>') {
      problems.push(open ? conflict(open, span) : conflict(span));
      open = undefined;
    } else if (!open) {
      problems.push(conflict(span));
    }
  }
  if (open) problems.push(conflict(open));
  return problems;
}

function conflict(span: Span, end?: Span): DocumentProblem {
  return {
    kind: 'merge-conflict',
    message: 'a merge conflict is not resolved',
    span,
    related: end ? [{ message: 'the conflict ends here', span: end }] : [],
    hint: 'edit the lines between the markers, then remove the markers',
  };
}

import {
  Composer,
  type CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type Scalar,
} from 'yaml';
import { mergeConflicts } from './merge-conflicts.ts';
import { type Source, type Span, startOf } from './source.ts';
import { syntaxProblems } from './syntax-problems.ts';
import type { YamlEntry, YamlMap, YamlNode } from './yaml-node.ts';
import { duplicateKey, quoted, spanOnLine, type YamlProblem } from './yaml-problem.ts';
import { readTokens, tokenProblems } from './yaml-tokens.ts';

export type YamlReading =
  | { readonly ok: true; readonly root: YamlNode }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

/**
 * Reads one YAML 1.2 document (core schema: a plain `no` is a string) whose top is a map. Anchors, aliases, tags and
 * merge keys are refused, a key stands once in its map, and every part keeps its place.
 */
export function readYaml(source: Source): YamlReading {
  const conflicts = mergeConflicts(source);
  if (conflicts.length > 0) return { ok: false, problems: conflicts };
  if (!SOMETHING.test(source.text)) return { ok: false, problems: [nothing(source)] };
  const early = source.text.length < LONG_TEXT ? [] : earlyProblems(source);
  if (early.length > 0) return { ok: false, problems: early };
  const { document, problems } = compose(source, source.text);
  return problems.length > 0 ? { ok: false, problems } : readRoot(source, document);
}

/** A line that is neither empty nor a comment. */
const SOMETHING = /^[ \t\r\ufeff]*[^ \t\r\n\ufeff#]/m;

const nothing = (source: Source): YamlProblem => ({
  kind: 'empty',
  message: 'the file is empty',
  span: startOf(source),
});

/** In UTF-16 code units. Reading takes about a second per million of them, so that a large file of noise is told soon. */
const LONG_TEXT = 1 << 20;
const SAMPLE = 1 << 17;

/** The mistakes in the first part of a long text. The end of the sample is cut off somewhere and proves nothing. */
function earlyProblems(source: Source): readonly YamlProblem[] {
  const cut = source.text.lastIndexOf('\n', SAMPLE) + 1 || SAMPLE;
  const { document, problems } = compose(source, source.text.slice(0, cut), cut / 2);
  if (problems.length > 0) return problems;
  const reading = readRoot(source, document);
  return reading.ok ? [] : reading.problems.filter((it) => KEY_PROBLEMS.has(it.kind) && it.span.start < cut / 2);
}

/** What the end of a text cannot mend. */
const KEY_PROBLEMS: ReadonlySet<string> = new Set(['duplicate-key', 'key-not-a-string', 'anchor']);

/** Of keys that cannot stand, so many are told at most. */
const MOST = 100;

interface Composed {
  readonly document: Document.Parsed<ParsedNode> | undefined;
  readonly problems: readonly YamlProblem[];
}

/** `trusted`: up to this offset the text is whole, so that a mistake is one, and what is open there may be closed later. */
function compose(source: Source, text: string, trusted = Number.POSITIVE_INFINITY): Composed {
  const reading = readTokens(source, text);
  if (!reading.ok) return { document: undefined, problems: [reading.problem] };
  const whole = trusted >= text.length;
  const shown = tokenProblems(source, reading.tokens).filter((it) => whole || it.kind !== 'yaml-syntax');
  if (shown.some((it) => it.kind !== 'yaml-syntax')) return { document: undefined, problems: shown };
  const document = composed(reading.tokens, text.length);
  const told = syntaxProblems(
    source,
    (document?.errors ?? []).filter((it) => it.pos[0] < trusted),
  );
  // What follows an open bracket is told wrongly by the composer; a tab can be why it is open.
  const tab = told.find((it) => it.kind === 'tab-indentation');
  return { document, problems: shown.length === 0 ? told : tab ? [tab] : shown };
}

function composed(tokens: readonly CST.Token[], length: number): Document.Parsed<ParsedNode> | undefined {
  // The package's own search for equal keys compares each with each, which takes minutes for a large hub.
  const composer = new Composer<ParsedNode>({ version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false });
  return composer.compose(tokens, true, length).next().value ?? undefined;
}

function readRoot(source: Source, document: Document.Parsed<ParsedNode> | undefined): YamlReading {
  const contents = document?.contents;
  if (!contents || (isScalar(contents) && contents.source === '')) {
    return { ok: false, problems: [nothing(source)] };
  }
  if (!isMap(contents)) return { ok: false, problems: [notAMap(source, contents)] };
  const problems: YamlProblem[] = [];
  const root = nodeOf(source, contents, problems);
  return problems.length === 0 ? { ok: true, root } : { ok: false, problems: problems.slice(0, MOST) };
}

function notAMap(source: Source, contents: ParsedNode): YamlProblem {
  const span = spanOnLine(source, contents.range[0], contents.range[1]);
  const text = source.text.slice(span.start, span.end);
  return {
    kind: 'not-a-map',
    message: `the file must be a map of keys, not ${isSeq(contents) ? 'a list' : 'a single value'}`,
    span,
    hint: /^[\w./-]+:\S/.test(text) ? 'put a space after the ":"' : 'its lines look like `key: value`',
  };
}

function nodeOf(source: Source, node: ParsedNode, problems: YamlProblem[]): YamlNode {
  if (isMap(node))
    return mapOf(source, node as ParsedNode & { items: Pair<ParsedNode, ParsedNode | null>[] }, problems);
  if (isSeq(node)) {
    const items = node.items.map((it) => nodeOf(source, it as ParsedNode, problems));
    return { kind: 'list', span: collectionSpan(source, node, items.at(-1)?.span.end), items };
  }
  const [start, end] = node.range;
  return { kind: 'scalar', span: { source, start, end }, value: scalarValue(node) };
}

type ParsedMap = ParsedNode & { readonly items: readonly Pair<ParsedNode, ParsedNode | null>[] };

function mapOf(source: Source, node: ParsedMap, problems: YamlProblem[]): YamlMap {
  const entries = new Map<string, YamlEntry>();
  let end: number | undefined;
  for (const pair of node.items) {
    const key: Span = { source, start: pair.key.range[0], end: pair.key.range[1] };
    const name = keyName(pair.key);
    const known = name === undefined ? undefined : entries.get(name);
    if (name === undefined) problems.push(keyNotAString(key));
    else if (name === '<<' && isPlain(pair.key)) problems.push(mergeKey(key));
    else if (known) problems.push(duplicateKey(name, key, known.key));
    const value = pair.value ? nodeOf(source, pair.value, problems) : emptyValue(key);
    if (name !== undefined && !known) entries.set(name, { key, value });
    end = Math.max(key.end, value.span.end);
  }
  return { kind: 'map', span: collectionSpan(source, node, end), entries };
}

/** Without brackets a collection ends with its last part; the package counts the comments and empty lines after it. */
function collectionSpan(source: Source, node: ParsedNode, lastEnd: number | undefined): Span {
  const flow = 'flow' in node && node.flow === true;
  return { source, start: node.range[0], end: flow ? node.range[1] : (lastEnd ?? node.range[1]) };
}

const emptyValue = (key: Span): YamlNode => ({ kind: 'scalar', span: { ...key, start: key.end }, value: null });

const isPlain = (key: ParsedNode): boolean => isScalar(key) && key.type === 'PLAIN';

/** The key as a string: `042` is what stands in the file, not 42. `undefined` for null, a list or a map. */
function keyName(key: ParsedNode): string | undefined {
  if (!isScalar(key) || key.value === null) return undefined;
  return typeof key.value === 'string' ? key.value : key.source;
}

function scalarValue(node: ParsedNode): string | number | boolean | null {
  const value: unknown = (node as Scalar).value;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function keyNotAString(key: Span): YamlProblem {
  const text = key.source.text.slice(key.start, key.end);
  const message = text === '' ? 'a key is missing before the ":"' : `${quoted(text)} is not a name and cannot be a key`;
  const hint = /^(null|Null|NULL|~)$/.test(text) ? `quote it: "${text}"` : undefined;
  return {
    kind: 'key-not-a-string',
    message,
    span: spanOnLine(key.source, key.start, key.end),
    ...(hint ? { hint } : {}),
  };
}

function mergeKey(key: Span): YamlProblem {
  const hint = 'write the keys out where they are needed, or use "defaults"';
  return { kind: 'anchor', message: '"<<" is a merge key, which weft does not read', span: key, hint };
}

import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap } from 'yaml';
import type { DocumentMap, DocumentNode, DocumentScalar } from './document-node.ts';
import { type DocumentProblem, quotedPiece, spanOnLine } from './document-problem.ts';
import { MapBuilder } from './located-nodes.ts';
import type { Source, Span } from './source.ts';

/** Converts a node of the `yaml` package. Unsupported parts become problems, and reading continues after them. */
export function nodeOfYaml(source: Source, node: ParsedNode, problems: DocumentProblem[]): DocumentNode {
  const [start, end] = node.range;
  const span: Span = { source, start, end };
  if (isAlias(node) || node.anchor !== undefined) problems.push(unreadNode(span, 'anchor', 'an anchor or an alias'));
  else if (node.tag !== undefined) problems.push(unreadNode(span, 'tag', 'a tag'));
  if (isMap<ParsedNode, ParsedNode | null>(node)) return mapOf(source, node, problems);
  if (isSeq<ParsedNode>(node)) {
    const items = node.items.map((it) => nodeOfYaml(source, it, problems));
    return { kind: 'list', span: collectionSpan(source, node, items.at(-1)?.span.end), items };
  }
  return { kind: 'scalar', span, value: isScalar(node) ? scalarValue(node.value) : null };
}

const unreadNode = (span: Span, kind: 'anchor' | 'tag', what: string): DocumentProblem => ({
  kind,
  message: `there is ${what} here, which weft never writes`,
  span,
});

type ParsedMap = ParsedNode & YAMLMap<ParsedNode, ParsedNode | null>;

function mapOf(source: Source, node: ParsedMap, problems: DocumentProblem[]): DocumentMap {
  const map = new MapBuilder(problems);
  let end: number | undefined;
  for (const pair of node.items) {
    const key: Span = { source, start: pair.key.range[0], end: pair.key.range[1] };
    const name = keyName(pair.key);
    if (name === undefined) problems.push(keyNotAString(key));
    else if (name === '<<' && isPlainScalar(pair.key)) problems.push(mergeKey(key));
    const value = pair.value ? nodeOfYaml(source, pair.value, problems) : emptyAt(source, key.end);
    if (name !== undefined) map.add(name, { key, value });
    end = Math.max(key.end, value.span.end);
  }
  return { kind: 'map', span: collectionSpan(source, node, end), entries: map.entries };
}

/** The value of a key without a value, and of a document without content. */
export const emptyAt = (source: Source, start: number): DocumentScalar => ({
  kind: 'scalar',
  span: { source, start, end: start },
  value: null,
});

/** Without brackets a collection ends with its last part; the package includes the comments and empty lines after it. */
function collectionSpan(source: Source, node: ParsedNode, lastEnd: number | undefined): Span {
  const flow = 'flow' in node && node.flow === true;
  return { source, start: node.range[0], end: flow ? node.range[1] : (lastEnd ?? node.range[1]) };
}

const isPlainScalar = (key: ParsedNode): boolean => isScalar(key) && key.type === 'PLAIN';

/** The key as a string in its written form: `042` and not 42. `undefined` for null, a list or a map. */
function keyName(key: ParsedNode): string | undefined {
  if (!isScalar(key) || key.value === null) return undefined;
  return typeof key.value === 'string' ? key.value : (key as Scalar.Parsed).source;
}

function scalarValue(value: unknown): string | number | boolean | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function keyNotAString(key: Span): DocumentProblem {
  const text = key.source.text.slice(key.start, key.end);
  const message =
    text === '' ? 'a key is missing before the ":"' : `${quotedPiece(text)} is not a name and cannot be a key`;
  const hint = /^(null|Null|NULL|~)$/.test(text) ? `quote it: "${text}"` : 'write a name before the ":"';
  return {
    kind: 'key-not-a-string',
    message,
    span: spanOnLine(key.source, key.start, key.end),
    hint,
  };
}

function mergeKey(key: Span): DocumentProblem {
  const hint = 'repeat the keys where they are needed, or use `defaults`';
  return { kind: 'anchor', message: '"<<" is a merge key, which weft does not support', span: key, hint };
}

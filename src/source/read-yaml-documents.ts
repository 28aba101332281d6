import { Composer, type CST, type Document, isMap, isScalar, isSeq, Lexer, type ParsedNode, Parser } from 'yaml';
import type { Source, Span } from './source.ts';
import type { YamlEntry, YamlNode } from './yaml-node.ts';
import { duplicateKey, quoted, spanOnLine, type YamlProblem } from './yaml-problem.ts';

export type YamlDocumentsReading =
  | { readonly ok: true; readonly documents: readonly YamlNode[] }
  | { readonly ok: false; readonly problem: YamlProblem };

/** Deeper than any manifest by far, and far from where composing a tree of tokens exhausts the stack of Node. */
const DEEPEST = 64;

/**
 * Reads every document of a YAML 1.2 text (core schema), with the place of every part. It is for files that weft wrote:
 * anchors, aliases and tags are refused, and the first problem ends the reading.
 */
export function readYamlDocuments(source: Source): YamlDocumentsReading {
  const tokens = tokensOf(source);
  if (!Array.isArray(tokens)) return { ok: false, problem: tokens };
  const composer = new Composer<ParsedNode>({ version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false });
  const documents: YamlNode[] = [];
  for (const document of composer.compose(tokens, false, source.text.length)) {
    const problem = problemOf(source, document);
    if (problem) return { ok: false, problem };
    const node = document.contents ? nodeOf(source, document.contents) : emptyAt(source, document.range?.[0] ?? 0);
    if ('problem' in node) return { ok: false, problem: node.problem };
    documents.push(node.value);
  }
  return { ok: true, documents };
}

function tokensOf(source: Source): CST.Token[] | YamlProblem {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(source.text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > DEEPEST) {
      return syntaxProblem(source, parser.offset, `this is nested more than ${DEEPEST} levels deep`);
    }
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

function problemOf(source: Source, document: Document.Parsed<ParsedNode>): YamlProblem | undefined {
  const [first] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  return first && syntaxProblem(source, first.pos[0], 'this is not YAML from here on');
}

function syntaxProblem(source: Source, offset: number, message: string): YamlProblem {
  // The parser may point behind the last line.
  const start = Math.min(offset, Math.max(0, source.text.length - 1));
  return { kind: 'yaml-syntax', message, span: spanOnLine(source, start, source.text.length) };
}

type Reading = { readonly value: YamlNode } | { readonly problem: YamlProblem };

const emptyAt = (source: Source, start: number): Reading => ({
  value: { kind: 'scalar', span: { source, start, end: start }, value: null },
});

function nodeOf(source: Source, node: ParsedNode): Reading {
  const [start, end] = node.range;
  const span: Span = { source, start, end };
  const marked = 'anchor' in node && node.anchor !== undefined;
  if (marked || !(isMap(node) || isSeq(node) || isScalar(node))) return unread(span, 'anchor', 'an anchor or an alias');
  if (node.tag !== undefined) return unread(span, 'tag', 'a tag');
  if (isMap(node)) return mapOf(source, node as ParsedMap, span);
  if (isSeq(node)) return listOf(source, node.items as readonly ParsedNode[], span);
  const { value } = node;
  const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
  return { value: { kind: 'scalar', span, value: plain } };
}

function unread(span: Span, kind: 'anchor' | 'tag', what: string): Reading {
  return { problem: { kind, message: `there is ${what} here, which weft never writes`, span } };
}

type ParsedMap = ParsedNode & {
  readonly items: readonly { readonly key: ParsedNode; readonly value: ParsedNode | null }[];
};

function mapOf(source: Source, node: ParsedMap, span: Span): Reading {
  const entries = new Map<string, YamlEntry>();
  for (const pair of node.items) {
    const key: Span = { source, start: pair.key.range[0], end: pair.key.range[1] };
    if (!isScalar(pair.key) || pair.key.value === null) return { problem: notAName(key) };
    const name = typeof pair.key.value === 'string' ? pair.key.value : String(pair.key.source);
    const earlier = entries.get(name);
    if (earlier) return { problem: duplicateKey(name, key, earlier.key) };
    const read = pair.value ? nodeOf(source, pair.value) : emptyAt(source, key.end);
    if ('problem' in read) return read;
    entries.set(name, { key, value: read.value });
  }
  return { value: { kind: 'map', span, entries } };
}

function notAName(span: Span): YamlProblem {
  const text = span.source.text.slice(span.start, span.end);
  return { kind: 'key-not-a-string', message: `${quoted(text)} is not a name and cannot be a key`, span };
}

function listOf(source: Source, nodes: readonly ParsedNode[], span: Span): Reading {
  const items: YamlNode[] = [];
  for (const node of nodes) {
    const read = nodeOf(source, node);
    if ('problem' in read) return read;
    items.push(read.value);
  }
  return { value: { kind: 'list', span, items } };
}

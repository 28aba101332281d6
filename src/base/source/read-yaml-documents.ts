import { Composer, type Document, type ParsedNode } from 'yaml';
import { addAll } from '../core/collections.ts';
import type { DocumentNode } from './document-node.ts';
import { type DocumentProblem, spanOnLine } from './document-problem.ts';
import { emptyAt, nodeOfYaml } from './node-of-yaml.ts';
import { type DocumentResult, readDocument } from './read-document.ts';
import { PRINTED, readQuickYaml } from './read-quick-yaml.ts';
import type { Source, Span } from './source.ts';
import { readTokens } from './yaml-tokens.ts';

/**
 * Reads every document of a YAML 1.2 text (core schema), with the place of every part, for files of weft: a text in
 * their style is read in a twentieth of the time; the strict reader reads any other text, and reports all mistakes.
 */
export function readYamlDocuments(source: Source): YamlDocumentsResult {
  const documents = readQuickYaml(source, PRINTED);
  return documents ? { ok: true, documents } : readStrictYaml(source);
}

type YamlDocumentsResult =
  | { readonly ok: true; readonly documents: readonly DocumentNode[] }
  | { readonly ok: false; readonly problem: DocumentProblem };

/**
 * Reads every document of a YAML 1.2 text (core schema), with the place of every part, for files of weft: anchors,
 * aliases and tags are refused, and reading ends at the first problem.
 */
export function readStrictYaml(source: Source): YamlDocumentsResult {
  const reading = readTokens(source, source.text, { documents: 'several' });
  if (!reading.ok) return reading;
  const composer = new Composer<ParsedNode>({ version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false });
  const documents: DocumentNode[] = [];
  for (const document of composer.compose(reading.tokens, false, source.text.length)) {
    const problems = [...firstSyntaxProblem(source, document)];
    if (problems.length === 0) {
      const { contents, range } = document;
      documents.push(contents ? nodeOfYaml(source, contents, problems) : emptyAt(source, range?.[0] ?? 0));
    }
    const [problem] = problems;
    if (problem) return { ok: false, problem };
  }
  return { ok: true, documents };
}

function firstSyntaxProblem(source: Source, document: Document.Parsed<ParsedNode>): readonly DocumentProblem[] {
  const [first] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (!first) return [];
  // The position of the parser's error may be after the last line.
  const start = Math.min(first.pos[0], Math.max(0, source.text.length - 1));
  const span = spanOnLine(source, start, source.text.length);
  return [{ kind: 'syntax', message: 'this is not YAML from here on', span }];
}

/**
 * True when two texts of YAML or JSON contain the same documents: they differ at most in white space, quotes, comments,
 * and the order of keys. False for files of another kind, and if one cannot be read.
 *
 * A text without quotes never equals one with them: `on` is a text in YAML 1.2, which weft reads, and a boolean in YAML
 * 1.1, which Kubernetes reads.
 */
export function sameDocuments(one: Source, other: Source): boolean {
  if (one.path.endsWith('.json') && haveOtherValues(one.text, other.text)) return false;
  const [a, b] = [documentsOf(one), documentsOf(other)];
  return a !== undefined && b !== undefined && a.length === b.length && a.every((it, i) => isSame(it, b[i]));
}

/**
 * True if two texts of JSON certainly have other values, which takes a fraction of the time and memory of reading them with their
 * places: one edit changes a few lines of an `addresses.json` of 10 MB.
 */
function haveOtherValues(one: string, other: string): boolean {
  try {
    return !isSameValue(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
}

/** In any order of keys. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [fields, others] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    fields.length === others.size && fields.every(([key, it]) => others.has(key) && isSameValue(it, others.get(key)))
  );
}

function documentsOf(source: Source): readonly DocumentNode[] | undefined {
  if (/\.ya?ml$/.test(source.path)) {
    const read = readYamlDocuments(source);
    return read.ok ? read.documents : undefined;
  }
  if (!source.path.endsWith('.json')) return undefined;
  const read = readDocument(source, { language: 'json' });
  return read.ok ? [read.root] : undefined;
}

function isSame(a: DocumentNode, b: DocumentNode | undefined): boolean {
  if (a.kind === 'scalar') return b?.kind === 'scalar' && Object.is(a.value, b.value) && isWrittenAlike(a.span, b.span);
  if (a.kind === 'list')
    return b?.kind === 'list' && a.items.length === b.items.length && a.items.every((it, i) => isSame(it, b.items[i]));
  if (b?.kind !== 'map' || a.entries.size !== b.entries.size) return false;
  for (const [name, { key, value }] of a.entries) {
    const other = b.entries.get(name);
    if (other === undefined || !isWrittenAlike(key, other.key) || !isSame(value, other.value)) return false;
  }
  return true;
}

/** True when both are in quotes or in blocks, or have the same characters without. */
function isWrittenAlike(one: Span, other: Span): boolean {
  const [a, b] = [textOf(one), textOf(other)];
  return isPlain(a) || isPlain(b) ? a === b : true;
}

const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end);

const isPlain = (text: string): boolean => !/^["'|>]/.test(text);

interface YamlStream {
  /** The documents that could be read, in source order. */
  readonly roots: readonly DocumentNode[];
  readonly problems: readonly DocumentProblem[];
}

/**
 * Reads the output of other programs: YAML documents between lines of `---`, or consecutive JSON values. `readDocument`
 * reads each, and its places are those in the whole text. A document without content is skipped.
 */
export function readYamlStream(source: Source): YamlStream {
  const roots: DocumentNode[] = [];
  const problems: DocumentProblem[] = [];
  for (const { start, end } of piecesOf(source.text)) {
    const reading = readPiece({ path: source.path, text: source.text.slice(start, end) });
    const moved = (span: Span): Span => ({ source, start: span.start + start, end: span.end + start });
    if (reading.ok) roots.push(movedNode(reading.root, moved));
    else
      addAll(
        problems,
        reading.problems.map((it) => movedProblem(it, moved)),
      );
  }
  return { roots, problems };
}

/**
 * Reads one document. JSON is also YAML, but reading it as JSON takes a tenth of the time. A text that starts like JSON
 * and is not (flow style of YAML, or a mistake) is read as YAML, and its problems are those of YAML.
 */
function readPiece(piece: Source): DocumentResult {
  const result = /^\s*\{/.test(piece.text) ? readDocument(piece, { language: 'json' }) : undefined;
  return result?.ok ? result : readDocument(piece, { language: 'yaml' });
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** A line that is neither empty nor a comment nor a separator of documents. */
const SOMETHING = /^(?!---\s*$|\.\.\.\s*$)[ \t\r\ufeff]*[^ \t\r\n\ufeff#]/m;

function piecesOf(text: string): readonly Piece[] {
  const starts = /^[\s\ufeff]*\{/.test(text) ? jsonStarts(text) : yamlStarts(text);
  return starts
    .map((start, index) => ({ start, end: starts[index + 1] ?? text.length }))
    .filter(({ start, end }) => SOMETHING.test(text.slice(start, end)));
}

/** `---` in the first column always starts a document: no scalar may contain it. Source: YAML 1.2.2, 9.1.2. */
function yamlStarts(text: string): readonly number[] {
  const marks = [...text.matchAll(/^---(?=\s|$)/gm)].map((it) => it.index);
  return marks[0] === 0 ? marks : [0, ...marks];
}

/** The starts of the top-level values of a JSON stream; the text after the last one belongs to it. */
function jsonStarts(text: string): readonly number[] {
  const starts: number[] = [];
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|^---(?=\s|$)/gms)) {
    if (token === '{' || token === '[') {
      if (depth === 0) starts.push(starts.length === 0 ? 0 : index);
      depth++;
    } else if (token === '}' || token === ']') depth--;
    // The start of YAML in flow style can look like JSON; lines of `---` separate its documents.
    else if (token === '---') return yamlStarts(text);
  }
  return starts;
}

function movedNode(node: DocumentNode, moved: (span: Span) => Span): DocumentNode {
  const span = moved(node.span);
  switch (node.kind) {
    case 'scalar':
      return { kind: 'scalar', span, value: node.value };
    case 'list':
      return { kind: 'list', span, items: node.items.map((it) => movedNode(it, moved)) };
    case 'map': {
      const entries = [...node.entries].map(
        ([name, { key, value }]) => [name, { key: moved(key), value: movedNode(value, moved) }] as const,
      );
      return { kind: 'map', span, entries: new Map(entries) };
    }
  }
}

function movedProblem(problem: DocumentProblem, moved: (span: Span) => Span): DocumentProblem {
  const related = (problem.related ?? []).map((it) => ({ ...it, span: moved(it.span) }));
  return { ...problem, span: moved(problem.span), related };
}

import type { DocumentNode } from './document-node.ts';
import type { DocumentProblem } from './document-problem.ts';
import { type DocumentResult, readDocument } from './read-document.ts';
import type { Source, Span } from './source.ts';

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
    else problems.push(...reading.problems.map((it) => movedProblem(it, moved)));
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

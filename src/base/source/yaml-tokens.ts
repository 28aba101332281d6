import { type CST, Lexer, Parser } from 'yaml';
import { addAll } from '../core/collections.ts';
import { DEEPEST, type DocumentProblem, quotedPiece, shortenedPiece, spanOnLine, tooDeep } from './document-problem.ts';
import type { Source, Span } from './source.ts';

/** Tokens that belong to no document follow from one mistake; after this many, further reading finds nothing new. */
const STRAY_TOKENS = 10;

/** A token needs up to 300 bytes until the tree is built. A hub with 50,000 spokes has about a million of them. */
const MOST_TOKENS = 4_000_000;

/** The most unsupported parts that are reported. */
const MOST = 20;

type TokenResult =
  | { readonly ok: true; readonly tokens: readonly CST.Token[] }
  | { readonly ok: false; readonly problem: DocumentProblem };

/**
 * The tokens of a text, document by document. Reading stops where the text is nested too deep or continues after its one
 * document: the `yaml` package would continue, and deep nesting aborts the whole process when it composes them.
 */
export function readTokens(
  source: Source,
  text: string,
  { documents }: { readonly documents: 'one' | 'several' },
): TokenResult {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const seen = { tokens: 0, documents: 0, strays: 0 };
  for (const lexeme of new Lexer().lex(text)) {
    if (++seen.tokens > MOST_TOKENS) return { ok: false, problem: tooMany(source, parser.offset) };
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'document') seen.documents++;
      if (token.type === 'error' || token.type === 'directive') seen.strays++;
    }
    if (parser.stack.length > DEEPEST) return { ok: false, problem: tooDeep(source, parser.offset) };
    if ((documents === 'one' && seen.documents > 1) || seen.strays > STRAY_TOKENS) return { ok: true, tokens };
  }
  addAll(tokens, parser.end());
  return { ok: true, tokens };
}

function tooMany(source: Source, offset: number): DocumentProblem {
  const message = 'from here on the file has more keys and values than weft supports';
  return { kind: 'syntax', message, span: spanOnLine(source, offset, offset + 1) };
}

/** Unsupported parts, and brackets and quotes that are never closed; in source order. */
export function tokenProblems(source: Source, tokens: readonly CST.Token[]): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  // An explicit stack keeps source order: what is pushed last is visited first.
  const waiting: CST.Token[] = [...tokens].reverse();
  for (let token = waiting.pop(); token !== undefined && problems.length < MOST; token = waiting.pop()) {
    const problem = problemOf(source, token);
    if (problem) problems.push(problem);
    const parts = partsOf(token);
    for (let i = parts.length - 1; i >= 0; i--) waiting.push(parts[i] as CST.Token);
  }
  return problems;
}

/** The start of a second document, for a file that has to be one. */
export function furtherDocuments(source: Source, tokens: readonly CST.Token[]): readonly DocumentProblem[] {
  const further = tokens.filter((it) => it.type === 'document')[1];
  if (!further) return [];
  const hint = 'remove the "---", or put each document into a file of its own';
  const span = spanOnLine(source, further.offset, further.offset + 3);
  return [{ kind: 'several-documents', message: 'a second document starts here', span, hint }];
}

function problemOf(source: Source, token: CST.Token): DocumentProblem | undefined {
  switch (token.type) {
    case 'anchor':
      return unread(spanOf(source, token), `${quotedPiece(token.source)} is an anchor`);
    case 'alias':
      if (token.source === '*')
        return {
          ...unread(spanOf(source, token), '"*" is an alias'),
          hint: 'remove it: an entry of a list begins with "- "',
        };
      return unread(spanOf(source, token), `${quotedPiece(token.source)} is an alias`);
    case 'tag':
      return {
        kind: 'tag',
        message: `${quotedPiece(token.source)} is a tag, which weft does not support`,
        span: spanOf(source, token),
        hint: /include/i.test(token.source)
          ? 'remove it: only `include` at the top of the topology includes files'
          : 'remove the tag; quote the value if it must be a string',
      };
    case 'directive':
      return /^%YAML +1\.2\s*$/.test(token.source) ? undefined : directive(spanOf(source, token), token.source);
    case 'double-quoted-scalar':
      return endsInQuote(token.source) ? undefined : unclosed(source, token.offset, '"');
    case 'single-quoted-scalar':
      return endsInApostrophe(token.source) ? undefined : unclosed(source, token.offset, "'");
    case 'flow-collection':
      return isClosed(token) ? undefined : unclosed(source, token.offset, token.start.source);
    default:
      return undefined;
  }
}

function unread(span: Span, message: string): DocumentProblem {
  const hint = 'repeat the value where it is needed, or use `defaults`';
  return { kind: 'anchor', message: `${message}, which weft does not support`, span, hint };
}

function directive(span: Span, text: string): DocumentProblem {
  const hint = 'remove the line: weft reads YAML 1.2';
  return {
    kind: 'syntax',
    message: `${quotedPiece(text.trim())} is a directive, which weft does not support`,
    span,
    hint,
  };
}

function unclosed(source: Source, start: number, mark: string): DocumentProblem {
  const message = `this ${mark} is never closed`;
  return { kind: 'syntax', message, span: { source, start, end: start + 1 }, hint: closingHint(source, start, mark) };
}

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** The rest of the line, closed, if it contains no other bracket or quote: a list of many lines may end anywhere. */
function closingHint(source: Source, start: number, mark: string): string {
  const closing = CLOSING[mark] ?? mark;
  const line = spanOnLine(source, start + 1, source.text.length);
  const rest = source.text.slice(start + 1, line.end).replace(/[\s,]*(\s#.*)?$/, '');
  if (rest === '' || /["'[\]{}]/.test(rest)) return `put the ${closing} where the value ends`;
  return `write ${shortenedPiece(`${mark}${rest}${mark === '{' ? ' }' : closing}`)}`;
}

/** A quote after an even number of backslashes closes the string. */
function endsInQuote(text: string): boolean {
  let at = text.length - 2;
  while (at > 0 && text.charAt(at) === '\\') at--;
  return text.length > 1 && text.endsWith('"') && (text.length - at) % 2 === 0;
}

/** Two apostrophes mean one; an odd number of them closes the string. */
function endsInApostrophe(text: string): boolean {
  let at = text.length - 1;
  while (at > 0 && text.charAt(at) === "'") at--;
  return (text.length - 1 - at) % 2 === 1;
}

const isClosed = (token: CST.FlowCollection): boolean =>
  token.end.some((it) => it.type === (token.start.type === 'flow-map-start' ? 'flow-map-end' : 'flow-seq-end'));

function partsOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value ? [...token.start, token.value] : token.start;
  if (!('items' in token)) return 'props' in token && Array.isArray(token.props) ? token.props : [];
  return token.items.flatMap((it) => [
    ...it.start,
    ...(it.key ? [it.key] : []),
    ...(it.sep ?? []),
    ...(it.value ? [it.value] : []),
  ]);
}

function spanOf(source: Source, token: CST.SourceToken | CST.FlowScalar | CST.Directive): Span {
  return spanOnLine(source, token.offset, token.offset + token.source.trimEnd().length);
}

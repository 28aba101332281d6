import { shortened } from '../core/words.ts';
import type { DocumentNode } from './document-node.ts';
import type { Source, Span } from './source.ts';

export type DocumentProblemKind =
  | 'syntax'
  | 'tab-indentation'
  | 'duplicate-key'
  | 'anchor'
  | 'tag'
  | 'several-documents'
  | 'empty'
  | 'not-a-map'
  | 'key-not-a-string'
  | 'merge-conflict';

/** The reason why weft cannot read a text as a document. */
export interface DocumentProblem {
  readonly kind: DocumentProblemKind;
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
  readonly hint?: string;
}

/** The maximum of levels. Files of weft have far fewer, and the stack of Node suffices for far more. */
export const DEEPEST = 64;

export function tooDeep(source: Source, offset: number): DocumentProblem {
  const message = `this is nested more than ${DEEPEST} levels deep`;
  return { kind: 'syntax', message, span: { source, start: Math.max(0, offset - 1), end: offset } };
}

/** A key that appears twice in one map: the later one, and the one before it. */
export function duplicateKey(name: string, later: Span, earlier: Span): DocumentProblem {
  const message = `${quotedPiece(name)} appears twice in the same map`;
  const related = [{ message: `the first ${quotedPiece(name)}`, span: earlier }];
  return { kind: 'duplicate-key', message, span: later, related, hint: 'keep one of the two' };
}

/** A span that ends with its line: only the first line of a long mistake is shown. */
export function spanOnLine(source: Source, start: number, end: number): Span {
  const newline = source.text.indexOf('\n', start);
  const lineEnd = newline === -1 ? source.text.length : newline;
  return { source, start, end: Math.max(start, Math.min(end, lineEnd)) };
}

/** Longest piece of a file that a message repeats, in UTF-16 code units. */
const LONGEST_PIECE = 60;

/** A piece of a file, shortened for a message. */
export const shortenedPiece = (text: string): string => shortened(text, LONGEST_PIECE);

export const quotedPiece = (text: string): string => `"${shortenedPiece(text)}"`;

/** The result of the front end of a language. Without a root the text has no content, or `problems` is not empty. */
export interface ParsedText {
  readonly root: DocumentNode | undefined;
  readonly problems: readonly DocumentProblem[];
}

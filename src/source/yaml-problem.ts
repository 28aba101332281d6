import type { Source, Span } from './source.ts';

export type YamlProblemKind =
  | 'yaml-syntax'
  | 'tab-indentation'
  | 'duplicate-key'
  | 'anchor'
  | 'tag'
  | 'several-documents'
  | 'empty'
  | 'not-a-map'
  | 'key-not-a-string'
  | 'merge-conflict';

/** Why a text is not a YAML file as weft reads it. */
export interface YamlProblem {
  readonly kind: YamlProblemKind;
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
  readonly hint?: string;
}

/** A key that stands twice in one map: the later one, and the one before it. */
export function duplicateKey(name: string, later: Span, earlier: Span): YamlProblem {
  const message = `${quoted(name)} stands twice in the same map`;
  const related = [{ message: `the first ${quoted(name)}`, span: earlier }];
  return { kind: 'duplicate-key', message, span: later, related, hint: 'keep one of the two' };
}

/** Longest piece of a file that is repeated in a message, in UTF-16 code units. */
const QUOTED_LENGTH = 60;

/** A piece of the file in quotes, cut where it would flood the message. */
export function quoted(text: string): string {
  return `"${text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text}"`;
}

/** A span that ends with its line: a mistake that goes on for a thousand lines is shown by its first. */
export function spanOnLine(source: Source, start: number, end: number): Span {
  const newline = source.text.indexOf('\n', start);
  const lineEnd = newline === -1 ? source.text.length : newline;
  return { source, start, end: Math.max(start, Math.min(end, lineEnd)) };
}

import { oncePer } from '../core/once.ts';
/** A text with a name. `path` is as the user gave it, and appears in messages. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A piece of a source: offsets in UTF-16 code units, `end` exclusive. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** Line and column count from 1; the column counts UTF-16 code units, as editors and the LSP do. */
interface Place {
  readonly line: number;
  readonly column: number;
}

const startsOf = oncePer(({ text }: Source): readonly number[] => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
});

/** The place of an offset: a binary search over line starts, which are computed once per source. */
export function placeAt(source: Source, offset: number): Place {
  const starts = startsOf(source);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] as number) + 1 };
}

/** The offset of the first character of a line (counted from 1). */
export const startOfLine = (source: Source, line: number): number => startsOf(source)[line - 1] ?? source.text.length;

/** The text of a line (counted from 1) without its line end. */
export function lineText(source: Source, line: number): string {
  const starts = startsOf(source);
  const start = starts[line - 1] ?? source.text.length;
  const end = starts[line] ?? source.text.length + 1;
  return source.text.slice(start, end - 1).replace(/\r$/, '');
}

/** The whole source as a span of no width at its start: for mistakes that have no better place. */
export const startOf = (source: Source): Span => ({ source, start: 0, end: 0 });

/** A value with its place in the text; a default has the place of the nearest text. */
export interface Located<T> {
  readonly value: T;
  readonly at: Span;
}

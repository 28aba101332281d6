import type { Span } from './source.ts';

/** A value with its place in the text; a default has the place of the nearest text. */
export interface Located<T> {
  readonly value: T;
  readonly at: Span;
}

import type { Span } from './source.ts';

/** A value with the text that gives it; a default points at the nearest text there is. */
export interface Located<T> {
  readonly value: T;
  readonly at: Span;
}

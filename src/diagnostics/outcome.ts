import type { Diagnostic } from './diagnostic.ts';

/** What a stage gives: a value with what is worth knowing about it, or the mistakes that stand in its way. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** A value, unless one of the diagnostics is an error. */
export function outcome<T>(value: T, diagnostics: readonly Diagnostic[] = []): Outcome<T> {
  return diagnostics.some((it) => it.severity === 'error')
    ? { ok: false, diagnostics }
    : { ok: true, value, diagnostics };
}

export function failure<T>(diagnostics: readonly Diagnostic[]): Outcome<T> {
  return { ok: false, diagnostics };
}

/** The next stage on the value of this one; the diagnostics of both are kept, in that order. */
export function andThen<A, B>(first: Outcome<A>, next: (value: A) => Outcome<B>): Outcome<B> {
  if (!first.ok) return first;
  const second = next(first.value);
  return { ...second, diagnostics: [...first.diagnostics, ...second.diagnostics] };
}

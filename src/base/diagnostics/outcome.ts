import type { Diagnostic } from './diagnostic.ts';

/** The result of a stage: a value with warnings and notes about it, or the errors that prevent it. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Returns a successful outcome, or a failure if one of the diagnostics is an error. */
export function outcome<T>(value: T, diagnostics: readonly Diagnostic[] = []): Outcome<T> {
  return diagnostics.some((it) => it.severity === 'error')
    ? { ok: false, diagnostics }
    : { ok: true, value, diagnostics };
}

export function failure<T>(diagnostics: readonly Diagnostic[]): Outcome<T> {
  return { ok: false, diagnostics };
}

/** Applies the next stage to the value of this one. The diagnostics of both are kept, in that order. */
export function andThen<A, B>(first: Outcome<A>, next: (value: A) => Outcome<B>): Outcome<B> {
  if (!first.ok) return first;
  const second = next(first.value);
  return { ...second, diagnostics: [...first.diagnostics, ...second.diagnostics] };
}

/** A fault of weft, never of the user's input. Only `front/` catches it. */
class Bug extends Error {
  override readonly name = 'Bug';
}

/** Stops the run because a guarantee of an earlier stage that the types cannot express does not hold. */
export function bug(message: string): never {
  throw new Bug(message);
}

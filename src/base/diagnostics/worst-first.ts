import type { Diagnostic } from './diagnostic.ts';
import type { Severity } from './severity.ts';

const RANKS: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 };

/** Errors, then warnings, then notes; those of one severity keep their order. */
export const worstFirst = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  [...diagnostics].sort((a, b) => RANKS[a.severity] - RANKS[b.severity]);

import { byCodeUnit } from '../core/collections.ts';
import { maskSecrets } from '../core/secrets.ts';
import type { Located, Source, Span } from '../source/source.ts';
import { CODES, type Code, type Severity } from './codes.ts';

/** Another place that is involved, for instance the other end of a conflict. */
export interface Related {
  readonly message: string;
  readonly span: Span;
}

/** A mistake in the input, or a remark about it, as a value with a position. */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  /** The problem with the names involved; small first letter, no full stop, no advice. */
  readonly message: string;
  /** The smallest text that shows the problem. */
  readonly span: Span;
  readonly related: readonly Related[];
  /** The remedy. */
  readonly hint?: string;
  /** The affected clusters and links; absent for the whole fleet. */
  readonly about?: readonly Subject[];
  /** The entries of `accept` that accept it. */
  readonly accepted?: readonly Acceptance[];
}

interface Extras {
  readonly hint?: string | undefined;
  readonly related?: readonly Related[] | undefined;
  readonly about?: readonly Subject[];
}

/**
 * Creates a diagnostic; the only way to do so. The severity comes from the list of codes. Secrets are masked, because
 * the texts quote user input.
 */
export function diagnostic(code: Code, span: Span, message: string, extras: Extras = {}): Diagnostic {
  return {
    code,
    severity: CODES[code],
    message: maskSecrets(message),
    span,
    related: (extras.related ?? []).map((it) => ({ ...it, message: maskSecrets(it.message) })),
    ...(extras.hint === undefined ? {} : { hint: maskSecrets(extras.hint) }),
    ...(extras.about === undefined ? {} : { about: extras.about }),
  };
}

/** True when it is not accepted. */
export const isOpen = ({ accepted }: Diagnostic): boolean => accepted === undefined;

/** The place to which an acceptance applies; that of a cluster includes its links and loans. */
export type AcceptedPlace =
  | { readonly kind: 'fleet' }
  | { readonly kind: 'cluster'; readonly cluster: Located<string> }
  | { readonly kind: 'link'; readonly between: readonly [Located<string>, Located<string>] };

/** A decision of the user that diagnostics of one code need no attention at one place. */
export interface Acceptance {
  readonly at: Span;
  readonly code: Located<Code>;
  readonly where: AcceptedPlace;
  readonly reason: string;
}

/** The clusters that a place names: none, one, or the two ends of a link. */
export function clustersOf(where: AcceptedPlace): readonly Located<string>[] {
  if (where.kind === 'link') return where.between;
  return where.kind === 'cluster' ? [where.cluster] : [];
}

/** A cluster that a diagnostic concerns, or the two clusters of a link or a loan. */
export type Subject = readonly [cluster: string] | readonly [one: string, other: string];

const SEVERITY_RANKS: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 };

/** Errors, then warnings, then notes; diagnostics of one severity keep their order. */
export const worstFirst = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  [...diagnostics].sort((a, b) => SEVERITY_RANKS[a.severity] - SEVERITY_RANKS[b.severity]);

/**
 * Sorts the diagnostics of one stage by source, in the given order and then any others by path, and within a source by
 * position. Diagnostics at the same position keep their order.
 */
export function inSourceOrder(
  found: readonly Diagnostic[],
  sources: readonly (Source | undefined)[] = [],
): readonly Diagnostic[] {
  const rankOf = ({ span }: Diagnostic): number => {
    const rank = sources.indexOf(span.source);
    return rank === -1 ? sources.length : rank;
  };
  return [...found].sort(
    (a, b) =>
      rankOf(a) - rankOf(b) || byCodeUnit(a.span.source.path, b.span.source.path) || a.span.start - b.span.start,
  );
}

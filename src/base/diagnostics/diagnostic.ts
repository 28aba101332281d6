import { byCodeUnit, groupBy, inOrder } from '../core/collections.ts';
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

interface AcceptedDiagnostics {
  /** All diagnostics in their order. */
  readonly diagnostics: readonly Diagnostic[];
  /** The acceptances that match no diagnostic. */
  readonly unused: readonly Acceptance[];
}

/**
 * Marks the diagnostics that are accepted. One about several clusters or links is accepted only when each of them is
 * accepted, so it is shown again when another one joins them.
 */
export function acceptDiagnostics(
  found: readonly Diagnostic[],
  acceptances: readonly Acceptance[],
): AcceptedDiagnostics {
  if (acceptances.length === 0) return { diagnostics: found, unused: [] };
  const byPlace = groupBy(acceptances, (it) => [`${it.code.value} ${placeKey(it.where)}`]);
  const codes = new Set(acceptances.map((it) => it.code.value));
  const used = new Set<Acceptance>();
  const diagnostics = found.map((it) => {
    if (!codes.has(it.code)) return it;
    const subjects = it.about?.map(placeKeys) ?? [[WHOLE_FLEET]];
    const covers = subjects.map((places) => places.flatMap((place) => byPlace.get(`${it.code} ${place}`) ?? []));
    const accepted = new Set(covers.flat());
    for (const one of accepted) used.add(one);
    const isAccepted = accepted.size > 0 && covers.every((some) => some.length > 0);
    return isAccepted ? { ...it, accepted: [...accepted] } : it;
  });
  return { diagnostics, unused: acceptances.filter((it) => !used.has(it)) };
}

/** The key of the whole fleet; a cluster cannot have this name. */
const WHOLE_FLEET = '*';

/** A text that is equal for equal places, regardless of the order of a link's ends. */
export function placeKey(where: AcceptedPlace): string {
  switch (where.kind) {
    case 'fleet':
      return WHOLE_FLEET;
    case 'cluster':
      return where.cluster.value;
    case 'link':
      return pairKey(where.between[0].value, where.between[1].value);
  }
}

/** The keys of the places whose acceptance covers a subject. */
const placeKeys = ([one, other]: Subject): readonly string[] =>
  other === undefined ? [WHOLE_FLEET, one] : [WHOLE_FLEET, one, other, pairKey(one, other)];

const pairKey = (one: string, other: string): string => inOrder(one, other).join('/');

/** The rooms whose diagnostics are reported at every compile. Those of the lock are reported only once. */
const ACCEPTABLE_ROOMS: readonly string[] = ['boundaries', 'ipam', 'keys', 'link', 'sharing', 'topology'];

/**
 * Codes of these rooms that cannot be accepted, because they do not concern the compiled network: unused entries of
 * `accept`, and the schema that editors use.
 */
const NEVER_ACCEPTABLE: readonly Code[] = ['topology/acceptance-unused', 'topology/other-schema'];

/** True when a topology may accept this code: a warning or a note of every compile. */
export const isAcceptable = (code: Code): boolean =>
  CODES[code] !== 'error' && ACCEPTABLE_ROOMS.includes(code.split('/')[0] ?? '') && !NEVER_ACCEPTABLE.includes(code);

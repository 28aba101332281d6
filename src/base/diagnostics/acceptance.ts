import type { Located } from '../source/located.ts';
import type { Span } from '../source/source.ts';
import type { Code } from './codes.ts';

/** Where an acceptance counts; a cluster's links and loans belong to it. */
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

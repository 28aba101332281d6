import { groupBy, inOrder } from '../core/collections.ts';
import { CODES, type Code } from './codes.ts';
import type { Acceptance, AcceptedPlace, Diagnostic, Subject } from './diagnostic.ts';

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

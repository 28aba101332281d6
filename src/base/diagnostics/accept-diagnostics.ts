import { groupBy } from '../core/group-by.ts';
import { inOrder } from '../core/order.ts';
import type { Acceptance, AcceptedPlace } from './acceptance.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Subject } from './subject.ts';

interface AcceptedDiagnostics {
  /** All that was found, in its order. */
  readonly diagnostics: readonly Diagnostic[];
  /** The acceptances that concern none of them. */
  readonly unused: readonly Acceptance[];
}

/**
 * Marks the diagnostics that are accepted. One that is about several clusters or links is accepted when each of them is: so
 * it is shown again as soon as another one joins them.
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
    const subjects = it.about?.map(placeKeys) ?? [[FLEET]];
    const covers = subjects.map((places) => places.flatMap((place) => byPlace.get(`${it.code} ${place}`) ?? []));
    const accepted = new Set(covers.flat());
    for (const one of accepted) used.add(one);
    const isAccepted = accepted.size > 0 && covers.every((some) => some.length > 0);
    return isAccepted ? { ...it, accepted: [...accepted] } : it;
  });
  return { diagnostics, unused: acceptances.filter((it) => !used.has(it)) };
}

/** No cluster is called so. */
const FLEET = '*';

/** One text for equal places, whatever the order of a link's ends is. */
export function placeKey(where: AcceptedPlace): string {
  switch (where.kind) {
    case 'fleet':
      return FLEET;
    case 'cluster':
      return where.cluster.value;
    case 'link':
      return pairKey(where.between[0].value, where.between[1].value);
  }
}

/** The places whose acceptance covers a subject. */
const placeKeys = ([one, other]: Subject): readonly string[] =>
  other === undefined ? [FLEET, one] : [FLEET, one, other, pairKey(one, other)];

const pairKey = (one: string, other: string): string => inOrder(one, other).join('/');

import type { ClusterFacts } from './fleet-facts.ts';
import type { FleetIndex } from './index-fleet.ts';

/** A way to draw several clusters as one. */
export interface Fold {
  /** Clusters with an equal key are drawn together; `null` for one that is drawn alone. */
  readonly keyOf: (cluster: ClusterFacts, fleet: FleetIndex) => string | null;
  /** Fewer than these are drawn one by one. */
  readonly fewest: number;
  /** Whether each of them has a card. */
  readonly hasCards: boolean;
}

/** From the picture with the most details to the one with the least. */
export const FOLDS: readonly [Fold, ...(readonly Fold[])] = [
  // Spokes whose only links are those to their hubs: an edge to all of them says as much as an edge to each.
  { keyOf: (it, fleet) => (isPlain(it, fleet) ? keyOfPlain(it, fleet) : null), fewest: 4, hasCards: true },
  {
    keyOf: ({ name, group, mark }, fleet) =>
      fleet.isHub(name) ? null : JSON.stringify([group, mark, fleet.hubsOf(name)]),
    fewest: 2,
    hasCards: false,
  },
  {
    keyOf: ({ name, group, mark }, fleet) => JSON.stringify([group, mark, fleet.isHub(name)]),
    fewest: 2,
    hasCards: false,
  },
  { keyOf: ({ name, mark }, fleet) => JSON.stringify([mark, fleet.isHub(name)]), fewest: 2, hasCards: false },
];

const isPlain = ({ name }: ClusterFacts, fleet: FleetIndex): boolean =>
  !fleet.isHub(name) && fleet.linksOf(name).length > 0 && fleet.linksOf(name).every((it) => it.kind === 'hub');

const keyOfPlain = ({ name, group, mark, breaks }: ClusterFacts, fleet: FleetIndex): string =>
  JSON.stringify([group, mark, breaks, fleet.linksOf(name).map((it) => [it.hub, it.mark, it.breaks])]);

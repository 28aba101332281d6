import { groupBy } from '../../base/core/group-by.ts';
import { sortedUnique } from '../../base/core/order.ts';
import type { ClusterFacts, FleetFacts, LinkFacts } from './fleet-facts.ts';

/** The facts of a fleet, found by cluster. */
export interface FleetIndex extends FleetFacts {
  /** Every release once, in order. */
  readonly releases: readonly string[];
  readonly isHub: (cluster: string) => boolean;
  /** The hubs of a cluster, in order of name. */
  readonly hubsOf: (cluster: string) => readonly string[];
  readonly linksOf: (cluster: string) => readonly LinkFacts[];
}

export function indexFleet({ clusters, links }: FleetFacts): FleetIndex {
  const byEnd = groupBy(links, (it) => [it.server, it.client]);
  const hubs = new Set(links.flatMap((it) => (it.hub === null ? [] : [it.hub])));
  const linksOf = (cluster: string): readonly LinkFacts[] => byEnd.get(cluster) ?? [];
  return {
    clusters,
    links,
    releases: sortedUnique(clusters.flatMap(({ release }: ClusterFacts) => (release === null ? [] : [release]))),
    isHub: (cluster) => hubs.has(cluster),
    hubsOf: (cluster) =>
      sortedUnique(linksOf(cluster).flatMap((it) => (it.hub === null || it.hub === cluster ? [] : [it.hub]))),
    linksOf,
  };
}

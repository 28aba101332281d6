import { groupBy, sortedUnique } from '../../base/core/collections.ts';
import type { LinkKind } from '../../fleet/model/network-model.ts';

/** What a picture of a fleet can show, before anything is folded or left out. */
export interface FleetFacts {
  /** By name, in order of name. */
  readonly clusters: readonly ClusterFacts[];
  /** Every end is one of the clusters. */
  readonly links: readonly LinkFacts[];
}

export interface ClusterFacts {
  readonly name: string;
  /** Version of Liqo; `null` where it is unknown. */
  readonly release: string | null;
  readonly podCIDRs: readonly string[];
  /** Value of the label that clusters are grouped by; `null` without it. */
  readonly group: string | null;
  /** What a plan does with it; `null` for nothing. */
  readonly mark: Mark | null;
  /** Its name before, where a plan renames it. */
  readonly formerName: string | null;
  /** Whether a plan breaks live flows of the whole cluster. */
  readonly breaks: boolean;
}

export interface LinkFacts {
  readonly kind: LinkKind;
  /** The end that is the hub of the other one; `null` for a peering and a shortcut. */
  readonly hub: string | null;
  readonly server: string;
  /** The end that dials. */
  readonly client: string;
  /** CIDRs that an end sees as another network; empty where every address is the same at both ends. */
  readonly remaps: readonly Remap[];
  readonly mark: Mark | null;
  readonly breaks: boolean;
}

export type Mark = 'added' | 'changed' | 'removed';

/** A CIDR of one end of a link that the other end sees as another network. */
export interface Remap {
  readonly of: string;
  /** The cluster that sees it so. */
  readonly seenIn: string;
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
  /** Where a plan moves it: how it was seen before. */
  readonly was: string | null;
}

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

/** Some clusters with all that they have a link to, and the links between those. */
export function factsNear({ clusters, links }: FleetFacts, names: readonly string[]): FleetFacts {
  const wanted = new Set(names);
  const near = new Set(
    links
      .filter((it) => wanted.has(it.server) || wanted.has(it.client))
      .flatMap((it) => [it.server, it.client])
      .concat(names),
  );
  return {
    clusters: clusters.filter((it) => near.has(it.name)),
    links: links.filter((it) => near.has(it.server) && near.has(it.client)),
  };
}

/** Whether an end of the link sees a network of the other one as another network; a view may also be back at its own. */
export const isRemapped = ({ remaps }: Pick<LinkFacts, 'remaps'>): boolean =>
  remaps.some((it) => it.cidr !== it.seenAs);

import { groupBy, sortedUnique } from '../../base/core/collections.ts';
import type { LinkKind } from '../../fleet/model/network-model.ts';

/** The facts that a picture of a fleet can show, before folding. */
export interface FleetFacts {
  /** The clusters, sorted by name. */
  readonly clusters: readonly ClusterFacts[];
  /** The links; both ends of each are in `clusters`. */
  readonly links: readonly LinkFacts[];
}

export interface ClusterFacts {
  readonly name: string;
  /** The version of Liqo; `null` when it is unknown. */
  readonly release: string | null;
  readonly podCIDRs: readonly string[];
  /** The value of the label by which clusters are grouped; `null` without it. */
  readonly group: string | null;
  /** The change by a plan; `null` for none. */
  readonly mark: Mark | null;
  /** The name before a plan renames it; `null` otherwise. */
  readonly formerName: string | null;
  /** True when a plan breaks live flows of the whole cluster. */
  readonly breaks: boolean;
}

export interface LinkFacts {
  readonly kind: LinkKind;
  /** The end that is the hub of the other one; `null` for a peering and a shortcut. */
  readonly hub: string | null;
  readonly server: string;
  /** The end that dials. */
  readonly client: string;
  /** CIDRs that the other end sees as another network; empty when every address is the same at both ends. */
  readonly remaps: readonly Remap[];
  readonly mark: Mark | null;
  readonly breaks: boolean;
}

export type Mark = 'added' | 'changed' | 'removed';

/** A CIDR of one end of a link that the other end sees as another network. */
export interface Remap {
  readonly of: string;
  /** The cluster that sees the CIDR as `seenAs`. */
  readonly seenIn: string;
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
  /** The network before a plan moves it; `null` otherwise. */
  readonly was: string | null;
}

/** The facts of a fleet with lookups by cluster. */
export interface FleetIndex extends FleetFacts {
  /** All different releases in order. */
  readonly releases: readonly string[];
  readonly isHub: (cluster: string) => boolean;
  /** The hubs of a cluster, sorted by name. */
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

/** The facts of some clusters, their direct neighbours, and the links between all of these. */
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

/**
 * True when an end of the link sees a network of the other one as another network. Some remaps in the list may only
 * record that a plan moves a view back to the cluster's own network.
 */
export const isRemapped = ({ remaps }: Pick<LinkFacts, 'remaps'>): boolean =>
  remaps.some((it) => it.cidr !== it.seenAs);

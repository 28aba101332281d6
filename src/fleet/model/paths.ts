import { byCodeUnit, sortedUnique } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { carriesPackets, type Link } from './network-model.ts';

/** Two clusters with a link that carries packets. */
type WorkingLink = readonly [string, string];

/**
 * The paths between clusters. They depend only on the working links: the kind of a link (hub, peering, shortcut)
 * changes no manifest, so it changes no path.
 */
export interface Paths {
  readonly areLinked: (a: string, b: string) => boolean;
  /** The clusters that have a working link to this one, in order of name. */
  readonly linkedWith: (cluster: string) => readonly string[];
  /**
   * The clusters with working links to both, in order of name, including those of linked clusters. Each of them can
   * forward packets, each at another address: the one in its own external CIDR that it maps to the pod. At most one
   * cluster is in between, because a cluster maps only pods that it has offloaded itself. Source: liqotech/liqo@v1.2.0
   * pkg/liqo-controller-manager/ipmapping/pod_controller.go.
   */
  readonly between: (a: string, b: string) => readonly string[];
  readonly way: (a: string, b: string) => Way;
}

/** The default path of packets between two clusters. */
type Way =
  | { readonly kind: 'direct' }
  /** A path through the first cluster of `between` by name. */
  | { readonly kind: 'through'; readonly hub: string; readonly others: readonly string[] }
  | { readonly kind: 'none' };

/** Finds the paths of a network from its working links. A pair may appear several times. */
export function findPaths(links: Iterable<WorkingLink>): Paths {
  const neighbours = new Map<string, Set<string>>();
  for (const [a, b] of links) {
    neighboursOf(neighbours, a).add(b);
    neighboursOf(neighbours, b).add(a);
  }
  const sorted = new Map<string, readonly string[]>();
  const linkedWith = (cluster: string): readonly string[] => {
    const names = sorted.get(cluster) ?? sortedUnique(neighbours.get(cluster) ?? NO_CLUSTERS);
    sorted.set(cluster, names);
    return names;
  };
  const areLinked = (a: string, b: string): boolean => neighbours.get(a)?.has(b) ?? false;
  const between = (a: string, b: string): readonly string[] => {
    const [ofA, ofB] = [neighbours.get(a) ?? NO_CLUSTERS, neighbours.get(b) ?? NO_CLUSTERS];
    const [few, many] = ofA.size < ofB.size ? [ofA, ofB] : [ofB, ofA];
    return [...few].filter((it) => it !== a && it !== b && many.has(it)).sort(byCodeUnit);
  };
  return {
    areLinked,
    linkedWith,
    between,
    way: (a, b) => {
      if (areLinked(a, b)) return { kind: 'direct' };
      const [hub, ...others] = between(a, b);
      return hub === undefined ? { kind: 'none' } : { kind: 'through', hub, others };
    },
  };
}

const NO_CLUSTERS: ReadonlySet<string> = new Set();

function neighboursOf(neighbours: Map<string, Set<string>>, cluster: string): Set<string> {
  const known = neighbours.get(cluster) ?? new Set();
  neighbours.set(cluster, known);
  return known;
}

/** The paths over the links of a model; found once for each list of links. */
export const pathsOf = oncePer((links: readonly Link[]): Paths => {
  const working = links.filter(carriesPackets).map((it) => [it.server.cluster.name, it.client.cluster.name] as const);
  return findPaths(working);
});

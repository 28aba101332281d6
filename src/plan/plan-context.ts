import { printLinkId } from '../base/core/lock-key.ts';
import type { TraitName } from '../base/releases/traits.ts';
import { findPaths } from '../fleet/model/paths.ts';
import type { AskedViews } from './asked-views.ts';
import type { LinkState, NetworkState } from './network-state.ts';

/** The context of a judgement: the networks before and after, and how their clusters reach each other. */
export interface PlanContext {
  /** With the cluster names after the change. */
  readonly before: NetworkState;
  readonly after: NetworkState;
  readonly was: Reachability;
  readonly is: Reachability;
  /** Keys that are in clusters and in no file; see `TopologyFacts`. With the names after the change. */
  readonly unknownKeys: { readonly was: ReadonlySet<string>; readonly is: ReadonlySet<string> };
  /** The pairs that a shortcut joins, before or after: their changes also appear in the folders of their hubs. */
  readonly shortcuts: ReadonlySet<string>;
  /** Clusters in which Liqo is installed again, so that they ask for every view. */
  readonly reinstalled: ReadonlySet<string>;
  readonly asked: AskedViews;
  /** Whether the Liqo that runs in a cluster now has a trait. Files prove only traits of newer releases. */
  readonly hasTrait: (cluster: string, trait: TraitName) => boolean;
}

/** How the clusters of a network reach each other, over links that carry packets. */
export interface Reachability {
  readonly areLinked: (a: string, b: string) => boolean;
  /** Directly, or with one cluster in between. */
  readonly reach: (a: string, b: string) => boolean;
  /** The clusters that this one reaches through the other, where the two have a working link; none that it is linked with. */
  readonly reachedThrough: (via: string, cluster: string) => readonly string[];
}

/** @param unknownKeys those that are in clusters and in no file */
export function reachabilityOf({ links }: NetworkState, unknownKeys: ReadonlySet<string>): Reachability {
  const working = [...links.values()].filter((it) => carriesPackets(it, unknownKeys));
  const paths = findPaths(working.map((it) => it.ends));
  const { areLinked } = paths;
  // A hub is asked about once for each of its links, and has thousands.
  const neighbours = new Map<string, readonly string[]>();
  const linkedWith = (cluster: string): readonly string[] => {
    const known = neighbours.get(cluster) ?? paths.linkedWith(cluster);
    neighbours.set(cluster, known);
    return known;
  };
  return {
    areLinked,
    reach: (a, b) => {
      if (areLinked(a, b)) return true;
      const [few, other] = linkedWith(a).length < linkedWith(b).length ? [a, b] : [b, a];
      return linkedWith(few).some((it) => areLinked(it, other));
    },
    reachedThrough: (via, cluster) =>
      areLinked(via, cluster) ? linkedWith(via).filter((it) => it !== cluster && !areLinked(cluster, it)) : [],
  };
}

/** Both ends hold the key of the other one; see `keylessEnds` in `fleet/model/network-model.ts`. */
const carriesPackets = ({ sides }: LinkState, unknownKeys: ReadonlySet<string>): boolean =>
  [...sides.values()].every((it) => it.keyOfPeer !== null || unknownKeys.has(gatewayText(it.peer, it.cluster)));

/** The gateway of a cluster towards a peer, among the keys that are not known. */
export const gatewayText = (cluster: string, peer: string): string => printLinkId({ first: cluster, second: peer });

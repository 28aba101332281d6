import { printLinkId } from '../base/core/lock-key.ts';
import type { TraitName } from '../base/releases/traits.ts';
import { findPaths } from '../fleet/model/paths.ts';
import type { AskedViews } from './asked-views.ts';
import type { LinkState, NetworkState } from './network-state.ts';

/** The context of a judgement: the networks before and after, and how their clusters reach each other. */
export interface PlanContext {
  /** The networks, with the cluster names after the change. */
  readonly before: NetworkState;
  readonly after: NetworkState;
  readonly was: Reachability;
  readonly is: Reachability;
  /** Keys that exist in clusters but in no file; see `TopologyFacts`. With the names after the change. */
  readonly unknownKeys: { readonly was: ReadonlySet<string>; readonly is: ReadonlySet<string> };
  /** The pairs that a shortcut joins, before or after: their changes are also in the folders of their hubs. */
  readonly shortcuts: ReadonlySet<string>;
  /** Clusters in which Liqo is installed again, so that they request every view. */
  readonly reinstalled: ReadonlySet<string>;
  readonly asked: AskedViews;
  /** True when the running Liqo of a cluster has a trait. Files prove only traits of newer releases. */
  readonly hasTrait: (cluster: string, trait: TraitName) => boolean;
}

/** The paths between the clusters of a network, over links that carry packets. */
export interface Reachability {
  readonly areLinked: (a: string, b: string) => boolean;
  /** True when one reaches the other directly, or with one cluster in between. */
  readonly reach: (a: string, b: string) => boolean;
  /**
   * The clusters that this one reaches through the other, when the two have a working link; without those that it has a
   * link with.
   */
  readonly reachedThrough: (via: string, cluster: string) => readonly string[];
}

/** @param unknownKeys keys that exist in clusters but in no file */
export function reachabilityOf({ links }: NetworkState, unknownKeys: ReadonlySet<string>): Reachability {
  const working = [...links.values()].filter((it) => carriesPackets(it, unknownKeys));
  const paths = findPaths(working.map((it) => it.ends));
  const { areLinked } = paths;
  // A hub has thousands of links, and each of them queries it.
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

/** True when both ends have the key of the other one; see `keylessEnds` in `fleet/model/network-model.ts`. */
const carriesPackets = ({ sides }: LinkState, unknownKeys: ReadonlySet<string>): boolean =>
  [...sides.values()].every((it) => it.keyOfPeer !== null || unknownKeys.has(gatewayText(it.peer, it.cluster)));

/** The gateway of a cluster towards a peer, as a key among the unknown keys. */
export const gatewayText = (cluster: string, peer: string): string => printLinkId({ first: cluster, second: peer });

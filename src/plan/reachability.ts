import { printLinkId } from '../base/core/link-id.ts';
import { findPaths } from '../fleet/model/find-paths.ts';
import type { LinkState, NetworkState } from './network-state.ts';

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

/** Both ends hold the key of the other one; see `model/keyless-ends.ts`. */
const carriesPackets = ({ sides }: LinkState, unknownKeys: ReadonlySet<string>): boolean =>
  [...sides.values()].every((it) => it.keyOfPeer !== null || unknownKeys.has(gatewayText(it.peer, it.cluster)));

/** The gateway of a cluster towards a peer, among the keys that are not known. */
export const gatewayText = (cluster: string, peer: string): string => printLinkId({ first: cluster, second: peer });

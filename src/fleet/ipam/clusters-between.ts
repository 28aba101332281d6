import { byCodeUnit } from '../../base/core/order.ts';
import type { AddressedCluster } from './addressed-model.ts';

/** Clusters that have a link to both, with keys or without, in order of name. */
export function clustersBetween(a: AddressedCluster, b: AddressedCluster): readonly string[] {
  const [few, many] = a.peers.size < b.peers.size ? [a, b] : [b, a];
  return [...few.peers.keys()].filter((name) => many.peers.has(name)).sort(byCodeUnit);
}

import type { AddressedCluster, Peer } from '../ipam/addressed-model.ts';

const known = new WeakMap<AddressedCluster, ReadonlyMap<string, Peer>>();

/** The peer of that name. A pair of clusters has one link at most, so that a name says which. */
export function peerOf(cluster: AddressedCluster, remote: string): Peer | undefined {
  const byName = known.get(cluster) ?? new Map(cluster.peers.map((it) => [it.name, it]));
  known.set(cluster, byName);
  return byName.get(remote);
}

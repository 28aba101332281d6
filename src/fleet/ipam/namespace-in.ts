import { tenantNamespace } from '../../base/releases/tenant-namespace.ts';
import { type AddressedCluster, ownEnd } from './addressed-model.ts';

/** The tenant namespace in a cluster for another one: that of their link, or without one the one that Liqo makes. */
export function namespaceIn({ peers }: AddressedCluster, remote: string): string {
  const peer = peers.get(remote);
  return peer === undefined ? tenantNamespace(remote) : ownEnd(peer).names.namespace;
}

/** Every peer's, by cluster: a hub has thousands, and each offloaded namespace asks for them. */
const KNOWN = new WeakMap<AddressedCluster, ReadonlySet<string>>();

/** The tenant namespaces of a cluster for its peers. */
export function tenantNamespacesIn(cluster: AddressedCluster): ReadonlySet<string> {
  const known = KNOWN.get(cluster);
  if (known !== undefined) return known;
  const all = new Set([...cluster.peers.values()].map((it) => ownEnd(it).names.namespace));
  KNOWN.set(cluster, all);
  return all;
}

import { tenantNamespace } from '../releases/tenant-namespace.ts';
import { type AddressedCluster, ownEnd } from './addressed-model.ts';

/** The tenant namespace in a cluster for another one: that of their link, or without one the one that Liqo makes. */
export function namespaceIn({ peers }: AddressedCluster, remote: string): string {
  const peer = peers.get(remote);
  return peer === undefined ? tenantNamespace(remote) : ownEnd(peer).names.namespace;
}

import type { AddressedCluster } from '../../../fleet/ipam/addressed-model.ts';
import type { Partner } from '../../../fleet/sharing/shared-model.ts';
import { lowerNamespace } from '../lower-namespace.ts';
import type { Manifest } from '../manifest.ts';
import { lowerConsumerAccount } from './lower-consumer-account.ts';
import { lowerCredentials } from './lower-credentials.ts';
import { lowerIdentity } from './lower-identity.ts';
import { lowerNonce } from './lower-nonce.ts';
import { lowerResourceSlice } from './lower-resource-slice.ts';
import { lowerTenant } from './lower-tenant.ts';
import { lowerVirtualNode } from './lower-virtual-node.ts';

/**
 * Every object of a cluster for what it lends to one remote cluster and borrows from it, in the order of applying. The
 * namespace is among them only without a link: else it is with the objects of the link.
 */
export function lowerSharing(
  cluster: AddressedCluster,
  { cluster: { name: remote }, borrowed, lent }: Partner,
): readonly Manifest[] {
  return [
    cluster.peers.has(remote) ? undefined : lowerNamespace(cluster, remote),
    lent?.auth === 'handshake' && lent.key !== null ? lowerNonce(lent, lent.key) : undefined,
    ...(lent === null ? [] : [...lowerConsumerAccount(lent), lowerTenant(lent)]),
    borrowed === null ? undefined : lowerCredentials(borrowed),
    borrowed === null ? undefined : lowerIdentity(borrowed),
    ...(borrowed?.slices.map((it) => lowerResourceSlice(borrowed, it)) ?? []),
    ...(borrowed?.slices.map((it) => lowerVirtualNode(borrowed, it)) ?? []),
  ].filter((it) => it !== undefined);
}

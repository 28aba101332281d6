import { containsAddress, moveHost } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Owner } from './translation.ts';

type OwnerReading =
  | { readonly ok: true; readonly owner: Owner }
  /** `why`: what the address is instead. */
  | { readonly ok: false; readonly why: string };

/** The owner of a pod by its address in one cluster. The views of a cluster are disjoint, so there is one at most. */
export function findOwner(cluster: AddressedCluster, address: number): OwnerReading {
  if (cluster.podCIDRs.some((it) => containsAddress(it.value, address))) return { ok: true, owner: { kind: 'own' } };
  for (const peer of cluster.peers.values()) {
    const view = peer.podViews.find((it) => containsAddress(it.seenAs, address));
    if (view === undefined) continue;
    return { ok: true, owner: { kind: 'peer', peer: peer.name, view, real: moveHost(address, view.cidr) } };
  }
  return { ok: false, why: otherMeaning(cluster, address) };
}

function otherMeaning(cluster: AddressedCluster, address: number): string {
  for (const { name, externalView } of cluster.peers.values()) {
    if (!containsAddress(externalView.seenAs, address)) continue;
    return `it is in ${printPrefix(externalView.seenAs)}, its view of the external CIDR of "${name}", and "${name}" maps it to a pod at run time only`;
  }
  const own = [
    ['service', cluster.serviceCIDR.value],
    ['external', cluster.externalCIDR],
    ['internal', cluster.internalCIDR],
  ] as const;
  const hit = own.find(([, cidr]) => containsAddress(cidr, address));
  if (hit !== undefined) return `it is in its own ${hit[0]} CIDR ${printPrefix(hit[1])}`;
  const reserved = cluster.reserved.find((it) => containsAddress(it.value, address));
  if (reserved !== undefined) return `it is in ${printPrefix(reserved.value)}, which is reserved`;
  for (const peer of cluster.peers.values()) {
    const real = peer.podViews.find((it) => containsAddress(it.cidr, address));
    if (real === undefined) continue;
    return `it is a pod in "${peer.name}", which "${cluster.name}" sees in ${printPrefix(real.seenAs)}`;
  }
  return 'it is neither in its pod CIDR nor in its view of any peer';
}

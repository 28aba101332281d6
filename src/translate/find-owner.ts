import type { AddressedCluster } from '../ipam/addressed-model.ts';
import { containsAddress, moveHost } from '../net/prefix.ts';
import { printPrefix } from '../net/text.ts';
import type { Owner } from './translation.ts';

export type OwnerReading =
  | { readonly ok: true; readonly owner: Owner }
  /** `why` says what the address is instead. */
  | { readonly ok: false; readonly why: string };

/** Whose pod an address is, in the words of one cluster. Its views are disjoint, so that there is one answer at most. */
export function findOwner(cluster: AddressedCluster, address: number): OwnerReading {
  if (cluster.podCIDRs.some((it) => containsAddress(it.value, address))) return { ok: true, owner: { kind: 'own' } };
  for (const peer of cluster.peers.values()) {
    const view = peer.podViews.find((it) => containsAddress(it.seenAs, address));
    if (view === undefined) continue;
    return { ok: true, owner: { kind: 'peer', peer: peer.name, view, real: moveHost(address, view.cidr) } };
  }
  return { ok: false, why: whatElse(cluster, address) };
}

function whatElse(cluster: AddressedCluster, address: number): string {
  for (const { name, externalView } of cluster.peers.values()) {
    if (!containsAddress(externalView.seenAs, address)) continue;
    return `it lies in ${printPrefix(externalView.seenAs)}, its view of the external CIDR of "${name}", and only "${name}" knows at run time whom it stands for`;
  }
  const own = [
    ['service', cluster.serviceCIDR.value],
    ['external', cluster.externalCIDR],
    ['internal', cluster.internalCIDR],
  ] as const;
  const hit = own.find(([, cidr]) => containsAddress(cidr, address));
  if (hit !== undefined) return `it lies in its own ${hit[0]} CIDR ${printPrefix(hit[1])}`;
  const reserved = cluster.reserved.find((it) => containsAddress(it.value, address));
  if (reserved !== undefined) return `it lies in ${printPrefix(reserved.value)}, which is reserved`;
  for (const peer of cluster.peers.values()) {
    const real = peer.podViews.find((it) => containsAddress(it.cidr, address));
    if (real === undefined) continue;
    return `in "${peer.name}" it is a pod, and "${cluster.name}" sees that one in ${printPrefix(real.seenAs)}`;
  }
  return 'it lies neither in its pod CIDR nor in its view of any peer';
}

import { addAll } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { type Prefix, prefixAround } from '../../base/net/prefix.ts';
import type { AddressedCluster, Peer, View } from '../../fleet/ipam/addressed-model.ts';

/** The meaning of an address from the point of view of one cluster. */
export type Meaning =
  | { readonly kind: 'pod'; readonly network: Prefix }
  | { readonly kind: 'own'; readonly role: OwnRole; readonly network: Prefix }
  | { readonly kind: 'peer'; readonly peer: Peer; readonly cidr: 'pod' | 'external'; readonly view: View };

export type OwnRole = 'service' | 'external' | 'internal' | 'reserved';

/**
 * Every meaning in a cluster of a network, usually of a single address; more than one is an error. A reserved network
 * may contain the cluster's own pods and services or another reserved network; there it adds no meaning.
 */
export function meaningsOf(cluster: AddressedCluster, { base, length: longest }: Prefix): readonly Meaning[] {
  const found: Meaning[] = [];
  for (const [length, byBase] of addressIndexOf(cluster)) {
    if (length <= longest) addAll(found, byBase.get(prefixAround(base, length).base) ?? []);
  }
  const reserved = found.filter(isReserved);
  const rest = found.filter((it) => !isReserved(it));
  return rest.some(isInUse) ? rest : [...rest, ...reserved.slice(0, 1)];
}

const isReserved = (it: Meaning): boolean => it.kind === 'own' && it.role === 'reserved';

const isInUse = (it: Meaning): boolean => it.kind === 'pod' || (it.kind === 'own' && it.role === 'service');

/** Meanings by length of the network, then by its first address. */
type AddressIndex = ReadonlyMap<number, ReadonlyMap<number, readonly Meaning[]>>;

/** Built once per cluster: a hub with thousands of peers is looked up for each of them. */
const addressIndexOf = oncePer((cluster: AddressedCluster): AddressIndex => {
  const index = new Map<number, Map<number, Meaning[]>>();
  for (const [network, meaning] of entriesOf(cluster)) {
    const byBase = index.get(network.length) ?? new Map<number, Meaning[]>();
    index.set(network.length, byBase);
    byBase.set(network.base, [...(byBase.get(network.base) ?? []), meaning]);
  }
  return index;
});

function* entriesOf(cluster: AddressedCluster): Iterable<readonly [Prefix, Meaning]> {
  for (const { value } of cluster.podCIDRs) yield [value, { kind: 'pod', network: value }];
  const own = (role: OwnRole, network: Prefix) => [network, { kind: 'own', role, network }] as const;
  yield own('service', cluster.serviceCIDR.value);
  yield own('external', cluster.externalCIDR);
  yield own('internal', cluster.internalCIDR);
  for (const { value } of cluster.reserved) yield own('reserved', value);
  for (const peer of cluster.peers.values()) {
    for (const view of peer.podViews) yield [view.seenAs, { kind: 'peer', peer, cidr: 'pod', view }];
    yield [peer.externalView.seenAs, { kind: 'peer', peer, cidr: 'external', view: peer.externalView }];
  }
}

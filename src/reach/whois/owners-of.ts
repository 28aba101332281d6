import { addAll, by, groupBy } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { containsAddress, moveHost, type Prefix, prefixAround } from '../../base/net/prefix.ts';
import { printAddress } from '../../base/net/text.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  clustersBetween,
  type Peer,
  unknownSource,
  type View,
} from '../../fleet/ipam/addressed-model.ts';
import { carriesPackets } from '../../fleet/model/network-model.ts';
import { pathsOf } from '../../fleet/model/paths.ts';
import { type LendingNetwork, mayOffloadIn } from '../../fleet/sharing/shared-model.ts';

/** A cluster that has an address in a network of its own to which peers can send. */
export interface Owner {
  readonly cluster: AddressedCluster;
  readonly role: 'pod' | 'external';
  readonly network: Prefix;
  /** Index of the pod CIDR in the list of the cluster. */
  readonly index: number;
}

/**
 * The clusters that have a pod or a mapped address there, by name. Services, nodes and the overlay are excluded,
 * because no other cluster can reach them.
 */
export function ownersOf({ clusters }: AddressedModel, address: number): readonly Owner[] {
  return [...clusters.values()].flatMap((cluster): readonly Owner[] => {
    const index = cluster.podCIDRs.findIndex((it) => containsAddress(it.value, address));
    const pods = cluster.podCIDRs[index];
    if (pods) return [{ cluster, role: 'pod', network: pods.value, index }];
    const isMapped = containsAddress(cluster.externalCIDR, address) && address !== unknownSource(cluster);
    return isMapped ? [{ cluster, role: 'external', network: cluster.externalCIDR, index: 0 }] : [];
  });
}

/** The address that a cluster dials to reach an address of another cluster. */
export type Dial =
  | { readonly kind: 'address'; readonly address: number }
  /**
   * An address in `network` that `hub` assigns once it has offloaded the pod; `others` are further hubs that assign
   * one.
   */
  | {
      readonly kind: 'through';
      readonly hub: string;
      readonly network: Prefix;
      readonly others: readonly string[];
    }
  /** Every path contains a link without keys. */
  | { readonly kind: 'no-keys' }
  | { readonly kind: 'nothing' };

/** Finds the address by which `from` reaches an address in a network of another cluster, its owner. */
export function dialOwner(
  model: LendingNetwork,
  from: AddressedCluster,
  { address, owner }: { readonly address: number; readonly owner: Owner },
): Dial {
  const peer = from.peers.get(owner.cluster.name);
  const view = owner.role === 'pod' ? peer?.podViews[owner.index] : peer?.externalView;
  if (peer && view && carriesPackets(peer.link)) return { kind: 'address', address: moveHost(address, view.seenAs) };
  // A hub maps pods that it has offloaded, but no address that is already mapped.
  const between = owner.role === 'pod' ? pathsOf(model.links).between(from.name, owner.cluster.name) : [];
  const lent = between.filter((it) => mayOffloadIn(model)(it, owner.cluster.name));
  const [hub, ...others] = lent.length === 0 ? between : lent;
  const network = hub === undefined ? undefined : from.peers.get(hub)?.externalView.seenAs;
  if (hub !== undefined && network) return { kind: 'through', hub, network, others };
  const isLinked = peer !== undefined || (owner.role === 'pod' && clustersBetween(from, owner.cluster).length > 0);
  return { kind: isLinked ? 'no-keys' : 'nothing' };
}

/** A cluster whose gateways have an address outside of the clusters' own networks. */
export interface GatewayAt {
  readonly cluster: string;
  /**
   * The settings of the topology that contain the address: of nodes or a load balancer, requested for a load balancer,
   * or in front of a NAT.
   */
  readonly as: readonly ('addresses' | 'loadBalancerIP' | 'dial')[];
  /** The peers that dial it, with the UDP port of each, by name. */
  readonly dialledBy: readonly { readonly cluster: string; readonly port: number }[];
}

/** The gateways at an address, by the name of their cluster. */
export function gatewaysAt({ clusters, links }: AddressedModel, address: number): readonly GatewayAt[] {
  const text = printAddress(address);
  const dialled = groupBy(
    links.filter((it) => it.endpoint.address === text),
    (it) => [it.server.cluster.name],
  );
  const requested = new Set(
    links.filter((it) => it.endpoint.loadBalancerIP === text).map((it) => it.server.cluster.name),
  );
  return [...clusters.values()].flatMap(({ name, retired, gateway }): readonly GatewayAt[] => {
    if (retired) return [];
    const as = [
      ...(gateway.addresses.some((it) => it.value === text) ? (['addresses'] as const) : []),
      ...(gateway.loadBalancerIP === text || requested.has(name) ? (['loadBalancerIP'] as const) : []),
      ...(gateway.dial.address?.value === text ? (['dial'] as const) : []),
    ];
    const dialledBy = (dialled.get(name) ?? [])
      .map((it) => ({ cluster: it.client.cluster.name, port: it.endpoint.port }))
      .sort(by((it) => it.cluster));
    return as.length + dialledBy.length === 0 ? [] : [{ cluster: name, as, dialledBy }];
  });
}

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

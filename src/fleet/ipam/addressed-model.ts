import { byCodeUnit } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { OverlapIndex } from '../../base/net/overlap-index.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { tenantNamespace } from '../../base/releases/labels.ts';
import type { Cluster, Fleet, Link, LinkEnd } from '../model/network-model.ts';

/** The network model with every address known. Manifests, rulesets, views and traces all read this and change nothing. */
export interface AddressedModel {
  readonly fleet: Fleet;
  /** Clusters by name, in order of name (code units), including retired ones, which have no peers. */
  readonly clusters: ReadonlyMap<string, AddressedCluster>;
  /** Links in join order. */
  readonly links: readonly Link[];
}

export interface AddressedCluster extends Cluster {
  /**
   * The value in the status of Network `external-cidr`, which peers get. It differs from the declared one when Liqo
   * moves it.
   */
  readonly externalCIDR: Prefix;
  readonly internalCIDR: Prefix;
  /** Peers by name, in apply order: first the links that need no remap, then the others, both by join number. */
  readonly peers: ReadonlyMap<string, Peer>;
}

/** One peer from the point of view of a cluster. */
export interface Peer {
  /** Name of the remote cluster. */
  readonly name: string;
  /** The remote cluster, which has this cluster among its peers. */
  readonly cluster: AddressedCluster;
  readonly link: Link;
  /** The role of the cluster that has this peer. */
  readonly role: 'server' | 'client';
  /** One for each pod CIDR of the peer, in the order of the peer's list. */
  readonly podViews: readonly View[];
  readonly externalView: View;
  /**
   * True when the cluster sees some CIDR of the peer as another network. Configurations of such peers are applied after
   * all others, one by one in join order.
   */
  readonly remapped: boolean;
  /**
   * True when the views depend on the order in which the cluster's Configurations are applied: several peers request
   * the same addresses, or a peer that is remapped may get what another one requests.
   */
  readonly orderDependent: boolean;
}

/** A cluster's view of one CIDR of a peer. */
export interface View {
  /** The CIDR that the peer announces. */
  readonly cidr: Prefix;
  /** The network that this cluster's IPAM assigns to it; of the same length. */
  readonly seenAs: Prefix;
  /** True when the lock keeps the view and a fresh rollout would assign another one. */
  readonly history: boolean;
}

/** The first address of the external CIDR: the source of traffic that does not come from a pod. */
export const unknownSource = (cluster: AddressedCluster): number => cluster.externalCIDR.base;

/** The end of a link at the cluster that has the peer. */
export const ownEnd = ({ link, role }: Pick<Peer, 'link' | 'role'>): LinkEnd =>
  role === 'server' ? link.server : link.client;

/** The end of a link that is at the peer. */
export const remoteEnd = ({ link, role }: Pick<Peer, 'link' | 'role'>): LinkEnd =>
  role === 'server' ? link.client : link.server;

/** All views of a peer: its pod CIDRs in list order, then the external one. */
export const viewsOf = (peer: Pick<Peer, 'podViews' | 'externalView'>): readonly View[] => [
  ...peer.podViews,
  peer.externalView,
];

/** A cluster by its name. Links, peers and checked requests name only clusters of the model: another name is a bug. */
export const clusterNamed = ({ clusters }: Pick<AddressedModel, 'clusters'>, name: string): AddressedCluster =>
  clusters.get(name) ?? bug(`"${name}" is not a cluster of the model`);

/** Clusters with a link to both, with or without keys, in order of name. */
export function clustersBetween(a: AddressedCluster, b: AddressedCluster): readonly string[] {
  const [few, many] = a.peers.size < b.peers.size ? [a, b] : [b, a];
  return [...few.peers.keys()].filter((name) => many.peers.has(name)).sort(byCodeUnit);
}

/**
 * The tenant namespace in a cluster for another one: the namespace of their link, or otherwise the one that Liqo
 * creates.
 */
export function namespaceIn({ peers }: AddressedCluster, remote: string): string {
  const peer = peers.get(remote);
  return peer === undefined ? tenantNamespace(remote) : ownEnd(peer).names.namespace;
}

/** The tenant namespaces of a cluster for its peers: a hub has thousands, and each offloaded namespace asks for them. */
export const tenantNamespacesIn = oncePer(
  (cluster: AddressedCluster): ReadonlySet<string> =>
    new Set([...cluster.peers.values()].map((it) => ownEnd(it).names.namespace)),
);

/** A network that a cluster does not route to the outside: one of its own, or its view of a peer. */
interface RoutedNetwork {
  readonly prefix: Prefix;
  readonly is: { readonly own: string } | { readonly viewOf: string };
}

export type RoutedNetworks = OverlapIndex<RoutedNetwork>;

/** The networks that a cluster routes into itself or into a tunnel. */
export function routedNetworks(cluster: AddressedCluster): RoutedNetworks {
  const index: RoutedNetworks = new OverlapIndex();
  for (const it of ownNetworks(cluster)) index.add(it.prefix, it);
  for (const peer of cluster.peers.values()) {
    const is = { viewOf: peer.name };
    for (const { seenAs } of viewsOf(peer)) index.add(seenAs, { prefix: seenAs, is });
  }
  return index;
}

/** The network as text, such as `its own pod CIDR 10.1.0.0/16`. */
export const describeRouted = ({ prefix, is }: RoutedNetwork): string =>
  'own' in is ? `its own ${is.own} ${printPrefix(prefix)}` : `${printPrefix(prefix)}, where it sees "${is.viewOf}"`;

const ownNetworks = (cluster: AddressedCluster): readonly RoutedNetwork[] => [
  ...cluster.podCIDRs.map((it) => ({ prefix: it.value, is: { own: 'pod CIDR' } })),
  { prefix: cluster.serviceCIDR.value, is: { own: 'service CIDR' } },
  { prefix: cluster.externalCIDR, is: { own: 'external CIDR' } },
  { prefix: cluster.internalCIDR, is: { own: 'internal CIDR' } },
];

/** A rule about addresses, named after what it requires. Yields a diagnostic for each violation. */
export type AddressRule = (model: AddressedModel) => Iterable<Diagnostic>;

import type { Prefix } from '../../base/net/prefix.ts';
import type { Cluster, Fleet, Link, LinkEnd } from '../model/network-model.ts';

/** The network model with every address known. Manifests, rulesets, views and traces all read this and change nothing. */
export interface AddressedModel {
  readonly fleet: Fleet;
  /** By name, in order of name (code units). Retired clusters are among them, without peers. */
  readonly clusters: ReadonlyMap<string, AddressedCluster>;
  /** In join order. */
  readonly links: readonly Link[];
}

export interface AddressedCluster extends Cluster {
  /** The value in the status of Network `external-cidr`, which peers get. Differs from the declared one when Liqo moves it. */
  readonly externalCIDR: Prefix;
  readonly internalCIDR: Prefix;
  /** By name, in apply order: first the links that need no remap, then the others, both by join number. */
  readonly peers: ReadonlyMap<string, Peer>;
}

/** One peer from the point of view of the cluster that has it. */
export interface Peer {
  /** Of the remote cluster. */
  readonly name: string;
  /** The remote cluster, which has the other one among its peers. */
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
   * True when the views would be others if the Configurations of the cluster were applied in another order: several
   * peers request the same addresses, or networks in place of theirs.
   */
  readonly orderDependent: boolean;
}

/** How a cluster sees one CIDR of a peer. */
export interface View {
  /** What the peer announces. */
  readonly cidr: Prefix;
  /** The network that this cluster's IPAM assigns to it; of the same length. */
  readonly seenAs: Prefix;
  /** True when the lock keeps it and a fresh rollout would assign another one. */
  readonly history: boolean;
}

/** The first address of the external CIDR: the source of traffic that does not come from a pod. */
export const unknownSource = (cluster: AddressedCluster): number => cluster.externalCIDR.base;

/** The end of a link that is at the cluster that has the peer. */
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

import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { contains, moveHost, type Prefix } from '../../base/net/prefix.ts';
import type { Span } from '../../base/source/source.ts';
import { type AddressedCluster, type Peer, viewsOf } from '../ipam/addressed-model.ts';
import type { SharedModel } from '../sharing/shared-model.ts';
import type { Boundary, BoundaryDeclaration, PodLabels, PortSpan, Protocol } from '../topology/declaration.ts';

export type { PodLabels, PortSpan, Protocol } from '../topology/declaration.ts';

/** The model with all decisions about what may cross links. Manifests, traces and pictures read it. */
export interface BoundedModel extends SharedModel {
  readonly boundaries: Boundaries;
}

export interface Boundaries {
  /**
   * By receiver, then by sender, both in order of name: the connections that may cross a link whose boundary towards the
   * receiver is closed. A link without an entry is open.
   */
  readonly incoming: ReadonlyMap<string, ReadonlyMap<string, readonly Opening[]>>;
  /** The namespaces with a policy, by cluster, in order of name. */
  readonly namespaces: ReadonlyMap<string, readonly BoundedNamespace[]>;
}

/** New connections that may cross a closed link, from an entry of `boundaries`. Addresses are those of their own clusters. */
export interface Opening {
  /** The entry. */
  readonly at: Span;
  readonly from: string;
  readonly to: string;
  readonly sources: readonly Prefix[];
  readonly destinations: readonly Prefix[];
  /** True when the only source is the external address of the sender. */
  readonly isMasqueraded: boolean;
  /** `null` for every namespace. */
  readonly fromNamespace: string | null;
  readonly toNamespace: string | null;
  /** The labels of its pods that are reached; `null` for all of them. */
  readonly toPods: PodLabels | null;
  /** `null` for every protocol. */
  readonly protocol: Protocol | null;
  /** Empty for every port. */
  readonly ports: readonly PortSpan[];
}

/** Ports as they are written: `443`, or `8000-8100`. */
export const portsText = ({ first, last }: PortSpan): string => (first === last ? `${first}` : `${first}-${last}`);

/** A namespace that entries of `boundaries` name, or the remote one of such a namespace in a provider. */
export interface BoundedNamespace {
  readonly name: string;
  /** True when connections to its pods are limited. */
  readonly limitsIngress: boolean;
  /** True when connections from its pods are limited. */
  readonly limitsEgress: boolean;
}

type Bounded = Pick<BoundedModel, 'boundaries'>;

/** The connections that may enter a cluster from each peer whose link is closed towards it. */
export const openingsInto = ({ boundaries }: Bounded, to: string): ReadonlyMap<string, readonly Opening[]> =>
  boundaries.incoming.get(to) ?? NO_SENDERS;

const NO_SENDERS: ReadonlyMap<string, readonly Opening[]> = new Map();

/** The connections that may cross in one direction; `undefined` when every one may. */
export const openingsBetween = (model: Bounded, from: string, to: string): readonly Opening[] | undefined =>
  openingsInto(model, to).get(from);

export const boundedNamespaces = ({ boundaries }: Bounded, cluster: string): readonly BoundedNamespace[] =>
  boundaries.namespaces.get(cluster) ?? [];

/** Everything about one cluster: what it lets in, what its peers let in from it, and its policies. */
export function boundariesOf(model: BoundedModel, cluster: string) {
  const peers = [...(model.clusters.get(cluster)?.peers.keys() ?? [])];
  return {
    incoming: openingsInto(model, cluster),
    outgoing: new Map(peers.map((it) => [it, openingsBetween(model, cluster, it) ?? null])),
    namespaces: boundedNamespaces(model, cluster),
  };
}

/** The boundary of a link towards one of its ends; `null` where the topology has no word about it. */
export const boundaryTowards = (peer: Pick<Peer, 'link'>, receiver: Pick<AddressedCluster, 'boundary'>) =>
  peer.link.boundary ?? receiver.boundary;

/** True when connections over the link into this end need an opening. */
export const isClosedTowards = (peer: Pick<Peer, 'link'>, receiver: Pick<AddressedCluster, 'boundary'>): boolean =>
  boundaryTowards(peer, receiver) === ('closed' satisfies Boundary);

/** True when a gateway of the cluster has a fence, which may be empty. */
export const isFenced = (cluster: AddressedCluster): boolean =>
  cluster.traits.hasFences && [...cluster.peers.values()].some((it) => boundaryTowards(it, cluster) !== null);

/** A network of a peer as the cluster that has the peer sees it; `undefined` for one outside the peer's networks. */
export function seenBy(peer: Peer, network: Prefix): Prefix | undefined {
  const view = viewsOf(peer).find((it) => contains(it.cidr, network));
  return view && { base: moveHost(network.base, view.seenAs), length: network.length };
}

/** A rule about what may cross links. Its diagnostics have the place of the text that declares it. */
export type BoundaryRule = (bounded: BoundariesToCheck) => Iterable<Diagnostic>;

interface BoundariesToCheck {
  readonly model: BoundedModel;
  /** In source order. */
  readonly entries: readonly ResolvedEntry[];
}

/** An entry of `boundaries` with the clusters that it selects. */
export interface ResolvedEntry {
  readonly entry: BoundaryDeclaration;
  /** The selected clusters that are not retired, without providers of offloaded namespaces. */
  readonly senders: readonly AddressedCluster[];
  readonly receivers: readonly AddressedCluster[];
  /** Number of pairs with a link, open or closed. */
  readonly linked: number;
  /** One for each direction of a closed link that it opens. */
  readonly openings: readonly Opening[];
}

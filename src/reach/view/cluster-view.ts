import { by, groupBy } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printAddress, printPrefix, symbolicAddress } from '../../base/net/text.ts';
import { placeAt } from '../../base/source/source.ts';
import { type BoundedModel, type Opening, openingsInto, portsText } from '../../fleet/boundaries/bounded-model.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  clusterNamed,
  type Peer,
  type View,
  viewsOf,
} from '../../fleet/ipam/addressed-model.ts';
import { type GatewayOfLink, keylessGateways, type LinkKind } from '../../fleet/model/network-model.ts';
import { pathsOf } from '../../fleet/model/paths.ts';
import { type Share, type SharedModel, sharingOf } from '../../fleet/sharing/shared-model.ts';

/** The network from the point of view of one cluster, ready to print in any form. */
export interface ClusterView {
  readonly cluster: string;
  readonly liqo: string;
  readonly retired: boolean;
  readonly podCIDRs: readonly string[];
  readonly serviceCIDR: string;
  readonly externalCIDR: string;
  /** Peers in apply order. */
  readonly peers: readonly PeerView[];
  /**
   * Clusters that this one reaches through another cluster, and not over a link of the two that carries packets; by
   * name.
   */
  readonly indirect: readonly IndirectView[];
  /** Shortcuts between spokes of this hub, by the names of server and client. */
  readonly shortcuts: readonly ShortcutView[];
  /** Absent for a cluster that shares nothing. */
  readonly sharing?: SharedView;
  /** Peers whose connections need an entry of `boundaries`, by name; absent without one. */
  readonly closed?: readonly ClosedView[];
}

interface ClosedView {
  readonly peer: string;
  /** True when the gateway towards the peer refuses all that no entry opens; policies alone limit namespaces. */
  readonly hasFence: boolean;
  readonly openings: readonly OpenedView[];
}

/** New connections that may enter. Networks are empty for all pods, and are those of their own clusters. */
export interface OpenedView {
  /** True for what arrives under the external address of the peer. */
  readonly masqueraded: boolean;
  readonly fromCIDRs: readonly string[];
  readonly fromNamespace: string | null;
  readonly toCIDRs: readonly string[];
  readonly toNamespace: string | null;
  /** `null` for every protocol. */
  readonly protocol: 'TCP' | 'UDP' | null;
  /** `443` or `8000-8100`; empty for every port. */
  readonly ports: readonly string[];
  /** The place of the entry. */
  readonly entry: { readonly file: string; readonly line: number };
}

export interface PeerView {
  readonly peer: string;
  readonly link: LinkKind;
  /** Role of the cluster whose point of view this is. */
  readonly role: 'server' | 'client';
  /** The address that the client dials, whichever end is the client. */
  readonly address: string;
  readonly port: number;
  readonly mtu: number;
  /** Gateways of the link without a public key, the server's first. With any such gateway the link carries nothing. */
  readonly keyless: readonly GatewayOfLink[];
  readonly views: readonly SeenCidr[];
  readonly orderDependent: boolean;
  /** The other direction: how the peer sees the cluster whose point of view this is. */
  readonly seenBy: SeenBy;
}

/** Two spokes of a hub that reach each other without it, unless a key is missing. */
interface ShortcutView {
  readonly server: string;
  readonly client: string;
  readonly keyless: readonly GatewayOfLink[];
}

export interface SeenBy {
  readonly views: readonly SeenCidr[];
  readonly orderDependent: boolean;
}

export interface SeenCidr {
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
  readonly history: boolean;
}

export interface IndirectView {
  readonly cluster: string;
  readonly through: readonly ThroughHub[];
}

/**
 * A cluster with links to two others. At run time it assigns an address of its external CIDR to each pod behind it, in
 * order of arrival; packets through it have its unknown source. Source: liqotech/liqo
 * pkg/liqo-controller-manager/ipmapping/pod_controller.go, v1.2.0.
 */
export interface ThroughHub {
  readonly hub: string;
  readonly hubExternalCIDR: string;
  /** This cluster's view of the hub's external CIDR, which contains the addresses of pods behind the hub. */
  readonly seenIn: string;
  /** A symbolic address of such a pod, for example `10.60.0.?`. It is known only at run time. */
  readonly address: string;
  readonly givenAt: 'run-time';
  /** The source that the cluster behind the hub sees on packets from this one. */
  readonly sourceThere: string;
  /** The source that this cluster sees on packets from behind the hub. */
  readonly sourceHere: string;
}

export function clusterView(model: BoundedModel, cluster: AddressedCluster): ClusterView {
  const sharing = sharedView(model, cluster.name);
  const closed = closedViews(model, cluster);
  return {
    cluster: cluster.name,
    liqo: cluster.release.version,
    retired: cluster.retired,
    podCIDRs: cluster.podCIDRs.map((it) => printPrefix(it.value)),
    serviceCIDR: printPrefix(cluster.serviceCIDR.value),
    externalCIDR: printPrefix(cluster.externalCIDR),
    peers: [...cluster.peers.values()].map((it) => peerView(it, seenBy(cluster, it))),
    indirect: indirectViews(model, cluster),
    shortcuts: shortcutsByHub(model).get(cluster.name) ?? [],
    ...(sharing === undefined ? {} : { sharing }),
    ...(closed.length === 0 ? {} : { closed }),
  };
}

const closedViews = (model: BoundedModel, { name, traits, podCIDRs }: AddressedCluster): readonly ClosedView[] =>
  [...openingsInto(model, name)].map(([peer, openings]) => ({
    peer,
    hasFence: traits.hasFences,
    openings: openings.map((it) => openedView(it, clusterNamed(model, peer).podCIDRs, podCIDRs)),
  }));

function openedView(
  it: Opening,
  senders: AddressedCluster['podCIDRs'],
  receivers: AddressedCluster['podCIDRs'],
): OpenedView {
  const partOf = (networks: readonly Prefix[], all: AddressedCluster['podCIDRs']): readonly string[] =>
    networks.length === all.length && networks.every((one) => all.some(({ value }) => samePrefix(value, one)))
      ? []
      : networks.map(printPrefix);
  return {
    masqueraded: it.isMasqueraded,
    fromCIDRs: it.isMasqueraded ? [] : partOf(it.sources, senders),
    fromNamespace: it.fromNamespace,
    toCIDRs: partOf(it.destinations, receivers),
    toNamespace: it.toNamespace,
    protocol: it.protocol,
    ports: it.ports.map(portsText),
    entry: { file: it.at.source.path, line: placeAt(it.at.source, it.at.start).line },
  };
}

/** Shortcuts are found once for all hubs of a model. */
const shortcutsByHub = oncePer(({ links }: AddressedModel): ReadonlyMap<string, readonly ShortcutView[]> => {
  const shortcuts = groupBy(links, (it) => it.commonHubs);
  return new Map(
    [...shortcuts].map(([hub, all]) => [
      hub,
      all
        .map((it) => ({ server: it.server.cluster.name, client: it.client.cluster.name, keyless: keylessGateways(it) }))
        .sort(by((it) => `${it.server} ${it.client}`)),
    ]),
  );
});

function seenBy(cluster: AddressedCluster, peer: Peer): SeenBy {
  const back = peer.cluster.peers.get(cluster.name);
  if (back === undefined) return { views: [], orderDependent: false };
  return { views: seenCidrs(back), orderDependent: back.orderDependent };
}

function peerView(peer: Peer, back: SeenBy): PeerView {
  return {
    peer: peer.name,
    link: peer.link.kind,
    role: peer.role,
    address: peer.link.endpoint.address,
    port: peer.link.endpoint.port,
    mtu: peer.link.mtuBytes,
    keyless: keylessGateways(peer.link),
    views: seenCidrs(peer),
    orderDependent: peer.orderDependent,
    seenBy: back,
  };
}

export const seenCidrs = (peer: Peer): readonly SeenCidr[] => [
  ...peer.podViews.map((it) => seenCidr('pod', it)),
  seenCidr('external', peer.externalView),
];

const seenCidr = (kind: SeenCidr['kind'], view: View): SeenCidr => ({
  kind,
  cidr: printPrefix(view.cidr),
  seenAs: printPrefix(view.seenAs),
  history: view.history,
});

function indirectViews(model: AddressedModel, { name, peers }: AddressedCluster): readonly IndirectView[] {
  const { areLinked, between } = pathsOf(model.links);
  return [...model.clusters.values()].flatMap((it) => {
    if (it.name === name || areLinked(name, it.name)) return [];
    const through = between(name, it.name).flatMap((hub) => {
      const [here, there] = [peers.get(hub), it.peers.get(hub)];
      return here === undefined || there === undefined ? [] : [throughHub(here, there)];
    });
    return through.length === 0 ? [] : [{ cluster: it.name, through }];
  });
}

/** `here` and `there` are the hub as the two ends see it. Its unknown source is the first address of its external CIDR. */
const throughHub = (here: Peer, there: Peer): ThroughHub => ({
  hub: here.name,
  hubExternalCIDR: printPrefix(here.externalView.cidr),
  seenIn: printPrefix(here.externalView.seenAs),
  address: symbolicAddress(here.externalView.seenAs),
  givenAt: 'run-time',
  sourceThere: printAddress(there.externalView.seenAs.base),
  sourceHere: printAddress(here.externalView.seenAs.base),
});

/** True when the two reach each other, over a link that carries packets or through another cluster. */
export const areJoined = ({ peers, indirect }: ClusterView, other: string): boolean =>
  peers.some((it) => it.peer === other && it.keyless.length === 0) || indirect.some((it) => it.cluster === other);

/** Slices that one cluster borrows and lends, and namespaces that it offloads. */
export interface SharedView {
  /** Sorted by provider, then by slice. */
  readonly borrows: readonly BorrowedSlice[];
  /** Sorted by consumer, then by slice. */
  readonly lends: readonly LentSlice[];
  /** Sorted by namespace. */
  readonly offloads: readonly OffloadedView[];
}

interface SliceView {
  /** Name of the slice, and of the virtual node in the consumer. */
  readonly slice: string;
  readonly class: string;
  /** The requested resources; the provider's defaults apply to all others. */
  readonly resources: Readonly<Record<string, string>>;
  readonly condition: Share['condition'];
  /**
   * State of the handshake. `no-key`: the consumer has no authentication key. `unknown-key`: it has a key that is not
   * in the keys file. `no-answer`: the provider's answer is not recorded. `complete`: the answer is recorded.
   * `credentials`: there is no handshake.
   */
  readonly handshake: 'no-key' | 'unknown-key' | 'no-answer' | 'complete' | 'credentials';
  /** True when the two have a link; Services do not cross without one. */
  readonly linked: boolean;
}

export interface BorrowedSlice extends SliceView {
  readonly provider: string;
}

export interface LentSlice extends SliceView {
  readonly consumer: string;
}

interface OffloadedView {
  readonly namespace: string;
  /** By name. */
  readonly providers: readonly string[];
  /** Name of the namespace in the providers. */
  readonly remoteName: string;
  readonly pods: 'Local' | 'Remote' | 'LocalAndRemote';
}

/** Returns `undefined` for a cluster that shares nothing. */
function sharedView(model: Pick<SharedModel, 'sharing'>, cluster: string): SharedView | undefined {
  const { borrows, lends, offloads } = sharingOf(model, cluster);
  if (borrows.length + lends.length + offloads.length === 0) return undefined;
  return {
    borrows: borrows.flatMap((it) => slicesOf(it).map((slice) => ({ provider: it.provider.name, ...slice }))),
    lends: lends.flatMap((it) => slicesOf(it).map((slice) => ({ consumer: it.consumer.name, ...slice }))),
    offloads: offloads.map(({ namespace, providers, remoteName, pods }) => ({
      namespace,
      providers: providers.map((it) => it.name),
      remoteName,
      pods,
    })),
  };
}

const slicesOf = (share: Share): readonly SliceView[] =>
  share.slices.map((it) => ({
    slice: it.name,
    class: it.class,
    resources: it.resources,
    condition: share.condition,
    handshake: handshakeOf(share),
    linked: share.link !== null,
  }));

function handshakeOf({ auth, key, hasUnknownKey, identity }: Share): SliceView['handshake'] {
  if (auth === 'credentials') return 'credentials';
  if (hasUnknownKey) return 'unknown-key';
  if (key === null) return 'no-key';
  return identity === null ? 'no-answer' : 'complete';
}

/** The views of a peer that a cluster gets when the Configuration of that peer is deleted and created again. */
export interface RecreatedView {
  readonly cluster: string;
  readonly peer: string;
  /** The pod CIDRs in list order, then the external one. */
  readonly views: readonly RecreatedCidr[];
}

interface RecreatedCidr {
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
  readonly recreatedAs: string;
}

/** @param again the same peer, when its views are assigned last */
export function recreatedView(cluster: string, now: Peer, again: Peer): RecreatedView {
  const next = viewsOf(again);
  const views = viewsOf(now).map(
    ({ cidr, seenAs }, i): RecreatedCidr => ({
      kind: i < now.podViews.length ? 'pod' : 'external',
      cidr: printPrefix(cidr),
      seenAs: printPrefix(seenAs),
      recreatedAs: printPrefix(next[i]?.seenAs ?? seenAs),
    }),
  );
  return { cluster, peer: now.name, views };
}

import { sortedUnique } from '../../base/core/collections.ts';
import { containsAddress, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix, readPrefix } from '../../base/net/text.ts';
import { type AddressedModel, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import { viewObstacle } from '../../fleet/ipam/view-diagnostics.ts';
import { type LiveView, overlappingViews } from '../adopt/live-network.ts';
import type { Place } from '../dumps/kubernetes-object.ts';
import type { ObservedCluster, OwnNetwork } from '../facts/cluster.ts';
import type { ObservedPeer } from '../facts/peer.ts';

/** What is wrong with the links of live clusters, as far as their objects show it; by cluster, then by peer. */
export function linkFaults(clusters: readonly ObservedCluster[]): readonly LinkFault[] {
  const byName = new Map(clusters.map((it) => [it.cluster, it]));
  return clusters.flatMap((it) => {
    const hasConnections = [...it.peers.values()].some((peer) => peer.connections.length > 0);
    return [...it.peers.values()].flatMap((peer) =>
      isLink(peer) ? [...faultsOf(it, peer, { far: byName.get(peer.remote), hasConnections })] : [],
    );
  });
}

/** A tenant namespace alone is what a removed link leaves behind, or what two clusters that only share resources have. */
const isLink = ({ configurations, gateways }: ObservedPeer): boolean => configurations.length + gateways.length > 0;

interface Around {
  /** The peer, where it was dumped as well. */
  readonly far: ObservedCluster | undefined;
  /** Whether the cluster shows Connections at all: a dump may be without them. */
  readonly hasConnections: boolean;
}

function* faultsOf(here: ObservedCluster, peer: ObservedPeer, around: Around): Iterable<LinkFault> {
  const end = { cluster: here.cluster, peer: peer.remote };
  const [connection] = peer.connections;
  const isUp = connection?.value === 'Connected';
  if (peer.gateways.length === 0) yield { kind: 'no-gateway', ...end, stops: true };
  if (peer.configurations.length === 0) yield { kind: 'no-configuration', ...end, stops: true };
  // A gateway that runs keeps the key that it has read.
  if (peer.publicKeys.length === 0) yield { kind: 'no-public-key', ...end, stops: !isUp };
  yield* duplicates(peer, end);
  yield* viewFaults(here, peer, around);
  if (connection === undefined) {
    if (around.hasConnections && peer.gateways.length > 0) yield { kind: 'no-connection', ...end, stops: true };
  } else if (!isUp) {
    yield { kind: 'not-connected', ...end, stops: true, object: textOf(connection), value: connection.value ?? '' };
  }
  yield* gatewayFaults(here, peer, around);
}

type End = Pick<LinkFault, 'cluster' | 'peer'>;

function* duplicates(peer: ObservedPeer, end: End): Iterable<LinkFault> {
  const kinds = [
    ['gateways', peer.gateways.map(textOf)],
    ['Configurations', peer.configurations.map(textOf)],
    ['PublicKeys', peer.publicKeys.map(textOf)],
    ['tenant namespaces', peer.namespaces],
    ['Secrets with keys', peer.keySecrets.map(textOf)],
  ] as const;
  for (const [what, objects] of kinds) {
    if (objects.length > 1) yield { kind: 'several', ...end, stops: false, what, objects };
  }
}

function* viewFaults(here: ObservedCluster, peer: ObservedPeer, { far }: Around): Iterable<LinkFault> {
  const end = { cluster: here.cluster, peer: peer.remote };
  const [configuration] = peer.configurations;
  if (configuration === undefined) return;
  const object = textOf(configuration);
  if (configuration.seen === null) yield { kind: 'no-view', ...end, stops: true, object };
  for (const cidr of ['pod', 'external'] as const) {
    const [named, has] = [configuration.remote[cidr], far === undefined ? [] : givenOf(far.own[cidr])];
    if (has.length > 0 && !sameSet(named, has)) {
      yield { kind: 'stale-view', ...end, stops: cidr === 'pod', object, cidr, named, has };
    }
    const [believed, own] = [configuration.local?.[cidr] ?? [], givenOf(here.own[cidr])];
    if (believed.length > 0 && own.length > 0 && !sameSet(believed, own)) {
      yield { kind: 'stale-local', ...end, stops: false, object, cidr, named: believed, has: own };
    }
  }
}

/** What both ends have to agree on; each is reported once, by the client or by the end that sorts first. */
function* gatewayFaults(here: ObservedCluster, peer: ObservedPeer, { far }: Around): Iterable<LinkFault> {
  const end = { cluster: here.cluster, peer: peer.remote };
  const [own, other] = [peer.gateways[0], far?.peers.get(here.cluster)?.gateways[0]];
  if (own === undefined || other === undefined) return;
  if (own.mtu !== null && other.mtu !== null && own.mtu !== other.mtu && here.cluster < peer.remote) {
    yield { kind: 'mtu-differs', ...end, stops: false, mtu: own.mtu, peerMtu: other.mtu };
  }
  const [dials, offers] = [own.dials?.port ?? null, other.reachable?.port ?? null];
  // Behind NAT the two differ on purpose, and then the address does, too.
  const isSameAddress = own.dials?.addresses.some((it) => other.reachable?.addresses.includes(it)) === true;
  if (dials !== null && offers !== null && dials !== offers && isSameAddress) {
    yield { kind: 'dials-another-port', ...end, stops: true, dials, offers };
  }
}

const givenOf = (networks: readonly OwnNetwork[]): readonly string[] =>
  networks.flatMap((it) => (it.given === null ? [] : [it.given]));

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  sortedUnique(a).join() === sortedUnique(b).join();

const textOf = ({ namespace, name }: Place): string => `${namespace}/${name}`;

/** Something in the objects of a live cluster about one peer that keeps packets from passing, or that is about to. */
export type LinkFault = {
  readonly [K in keyof Faults]: { readonly kind: K } & FaultyEnd & Faults[K];
}[keyof Faults];

interface FaultyEnd {
  /** The cluster whose objects show it. */
  readonly cluster: string;
  readonly peer: string;
  /** Whether packets between the two are lost now. */
  readonly stops: boolean;
}

interface Faults {
  readonly 'no-gateway': object;
  readonly 'no-configuration': object;
  /** The Configuration has no status yet, so nothing is translated or routed. */
  readonly 'no-view': { readonly object: string };
  readonly 'no-public-key': object;
  /** Liqo wants one of these for each peer. */
  readonly several: {
    readonly what: 'gateways' | 'Configurations' | 'PublicKeys' | 'tenant namespaces' | 'Secrets with keys';
    readonly objects: readonly string[];
  };
  /** The Configuration names other networks than the peer has. */
  readonly 'stale-view': {
    readonly object: string;
    readonly cidr: 'pod' | 'external';
    readonly named: readonly string[];
    readonly has: readonly string[];
  };
  /** The Configuration has other own networks than the cluster. */
  readonly 'stale-local': {
    readonly object: string;
    readonly cidr: 'pod' | 'external';
    readonly named: readonly string[];
    readonly has: readonly string[];
  };
  /** No cluster can see a peer so, so an answer is computed with another network. */
  readonly 'unkept-view': {
    readonly object: string;
    readonly cidr: 'pod' | 'external';
    /** As the peer has it. */
    readonly network: string;
    readonly live: string;
    readonly assumed: string;
    readonly why: string;
  };
  readonly 'not-connected': { readonly object: string; readonly value: string };
  /** Other gateways of the cluster have a Connection, and this one does not. */
  readonly 'no-connection': object;
  /** What the client dials is not the port that the server offers. */
  readonly 'dials-another-port': { readonly dials: number; readonly offers: number };
  readonly 'mtu-differs': { readonly mtu: number; readonly peerMtu: number };
}

type UnkeptView = Extract<LinkFault, { kind: 'unkept-view' }>;

/** Live views that a model of the same clusters does not have, because no cluster can see a peer so. */
export function unkeptViews({ clusters }: AddressedModel, views: readonly LiveView[]): readonly UnkeptView[] {
  const others = new Map(overlappingViews(views).overlapping.map((it) => [it.view, it.other]));
  return views.flatMap((live): readonly UnkeptView[] => {
    const cluster = clusters.get(live.viewer);
    const peer = cluster?.peers.get(live.peer);
    const view = peer && viewsOf(peer).find((it) => samePrefix(it.cidr, live.cidr));
    if (cluster === undefined || view === undefined || samePrefix(view.seenAs, live.seenAs)) return [];
    const other = others.get(live);
    const why =
      other === undefined
        ? viewObstacle(cluster, cluster, live)
        : `it overlaps how the cluster sees "${other.peer}", ${printPrefix(other.seenAs)}`;
    return [
      {
        kind: 'unkept-view',
        cluster: live.viewer,
        peer: live.peer,
        // Whether packets arrive depends on what else has these addresses, which no object says.
        stops: false,
        object: `${live.object.namespace}/${live.object.name}`,
        cidr: live.kind,
        network: printPrefix(live.cidr),
        live: printPrefix(live.seenAs),
        assumed: printPrefix(view.seenAs),
        why,
      },
    ];
  });
}

/** Those in which an address lies in the live network, or in the one that is computed with. */
export const unkeptAt = (faults: readonly LinkFault[], address: number): readonly LinkFault[] =>
  faults.filter((it) => it.kind === 'unkept-view' && [it.live, it.assumed].some((text) => isIn(text, address)));

function isIn(text: string, address: number): boolean {
  const read = readPrefix(text);
  return read.ok && containsAddress(read.prefix, address);
}

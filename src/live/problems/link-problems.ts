import { groupBy, sortedUnique } from '../../base/core/collections.ts';
import type { Place } from '../dumps/kubernetes-object.ts';
import type { OwnRole } from '../facts/cluster.ts';
import type { ClustersById, LiveEnd, LiveLink } from '../facts/links.ts';
import { ownCidrs } from '../facts/networks.ts';
import {
  gatewayKind,
  NETWORKS_CONDITION,
  type ObservedConfiguration,
  type ObservedGateway,
  type ObservedPeer,
  tunnelPort,
} from '../facts/peer.ts';

/**
 * A problem of a live link, in the facts of its two clusters. Problems are detected only here; look-ups, import and
 * drift select the ones for their readers, and word them.
 */
export type LinkProblem = {
  readonly [K in keyof Problems]: { readonly kind: K } & ProblemEnd & Problems[K];
}[keyof Problems];

export type ProblemOf<K extends LinkProblem['kind']> = Extract<LinkProblem, { readonly kind: K }>;

interface ProblemEnd {
  /** The cluster with the objects that show it. */
  readonly cluster: string;
  readonly peer: string;
  /** True when packets between the two are lost now. */
  readonly stops: boolean;
}

/** An object in a message; the namespace of a Namespace is empty. */
export interface NamedObject extends Place {
  readonly kind: string;
}

interface MissingObject {
  /** True without a Configuration and a gateway, as after a link was removed. */
  readonly isRemnant: boolean;
  /** False when objects of its kind were not read, so there may be one. */
  readonly isKnown: boolean;
}

interface OtherCidrs {
  readonly object: NamedObject;
  readonly cidr: CidrKind;
  /** In the Configuration. */
  readonly named: readonly string[];
  /** In the Networks of the cluster that they belong to. */
  readonly has: readonly string[];
}

interface Problems {
  /** The other end has objects for this cluster, but not the reverse. */
  readonly 'no-objects': object;
  readonly 'no-namespace': MissingObject;
  readonly 'no-configuration': MissingObject;
  readonly 'no-gateway': MissingObject;
  readonly 'no-public-key': MissingObject;
  /** Liqo expects one of these for each peer. */
  readonly several: {
    readonly what: 'gateways' | 'Configurations' | 'PublicKeys' | 'tenant namespaces' | 'Secrets with keys';
    readonly objects: readonly NamedObject[];
    /** The one most likely in use; `null` when it is unknown. */
    readonly kept: NamedObject | null;
  };
  /** The Configuration has networks that differ from the peer's. */
  readonly 'stale-view': OtherCidrs;
  /** The Configuration has own networks that differ from the cluster's. */
  readonly 'stale-local': OtherCidrs;
  /** The Configuration lacks a view, or has no status at all, so nothing is translated or routed. */
  readonly 'no-view': { readonly object: NamedObject; readonly hasStatus: boolean };
  /** Liqo has not confirmed the current Configuration. */
  readonly unconfirmed: {
    readonly object: NamedObject;
    /** A condition that is false or outdated; `null` when the one that Liqo 1.2 waits for is missing. */
    readonly condition: ObservedConfiguration['conditions'][number] | null;
    readonly generation: number | null;
    /** True when its condition, or its label before 1.2, reports its networks as configured. */
    readonly isReady: boolean;
    /** True when it has a view of each network nevertheless. */
    readonly hasViews: boolean;
  };
  /** The view in the Configuration differs from the IPAM's in the Network. */
  readonly 'other-network': {
    readonly object: NamedObject;
    readonly network: NamedObject;
    readonly given: string;
    readonly view: string;
  };
  readonly 'not-connected': Waiting & { readonly object: NamedObject; readonly value: string };
  readonly 'no-connection': Waiting;
  /** Both gateways serve, or both dial. */
  readonly 'same-role': Gateways;
  readonly 'mtu-differs': Gateways & { readonly mtu: number | null; readonly peerMtu: number | null };
  /** The client dials a port that the server does not offer. Behind NAT both port and address differ on purpose. */
  readonly 'dials-another-port': Gateways & {
    readonly address: string;
    readonly dials: number;
    readonly offers: number;
    readonly isServersAddress: boolean;
  };
}

interface Waiting {
  /** The missing part without which there is no tunnel. */
  readonly waitsFor: 'pod' | 'endpoint' | null;
}

interface Gateways {
  readonly gateway: NamedObject;
  readonly peerGateway: NamedObject;
}

type CidrKind = 'pod' | 'external';

const CIDR_KINDS: readonly CidrKind[] = ['pod', 'external'];

/** Returns the problems of live links: for each link those of its ends, then those between them. */
export const linkProblems = (links: readonly LiveLink[], clusters: ClustersById): readonly LinkProblem[] =>
  links.flatMap((link) => [...link.ends.flatMap((it) => [...endProblems(it, clusters)]), ...gatewayProblems(link)]);

function* endProblems(end: LiveEnd, clusters: ClustersById): Iterable<LinkProblem> {
  const { peer, configuration } = end;
  if (!end.isDumped) return;
  if (peer === null) {
    yield { kind: 'no-objects', ...sideOf(end), stops: true };
    return;
  }
  const connection = connectionProblem(peer, end.cluster);
  const listed = clusters.get(end.cluster)?.listed ?? new Set();
  yield* missingObjects(end, peer, { isConnected: connection === null, listed });
  yield* severalObjects(end, peer);
  if (configuration !== null) {
    yield* staleNetworks(end, configuration, clusters);
    yield* configurationProblems(end, configuration);
    yield* otherNetworks(end, peer, configuration);
  }
  // A dump may be without Connections.
  const isListed = clusters.get(end.cluster)?.listed.has('Connection.networking.liqo.io') ?? false;
  if (connection !== null && isListed && peer.gateways.length > 0) yield connection;
}

type ProblemSide = Pick<LinkProblem, 'cluster' | 'peer'>;

const sideOf = ({ cluster, remote }: Pick<LiveEnd, 'cluster' | 'remote'>): ProblemSide => ({ cluster, peer: remote });

const namedObject = (kind: string, { namespace, name }: Place): NamedObject => ({ kind, namespace, name });

function* missingObjects(
  end: LiveEnd,
  peer: ObservedPeer,
  { isConnected, listed }: { readonly isConnected: boolean; readonly listed: ReadonlySet<string> },
): Iterable<LinkProblem> {
  const { namespaces, configurations, gateways, publicKeys } = peer;
  const isRemnant = configurations.length + gateways.length === 0;
  const about = (...kinds: readonly string[]) => ({
    ...sideOf(end),
    isRemnant,
    isKnown: kinds.some((it) => listed.has(it)),
  });
  if (namespaces.length === 0) yield { kind: 'no-namespace', ...about('Namespace'), stops: false };
  if (configurations.length === 0)
    yield { kind: 'no-configuration', ...about('Configuration.networking.liqo.io'), stops: true };
  const gateway = about('GatewayServer.networking.liqo.io', 'GatewayClient.networking.liqo.io');
  if (gateways.length === 0) yield { kind: 'no-gateway', ...gateway, stops: gateway.isKnown };
  // A running gateway keeps the key that it has read.
  if (publicKeys.length > 0) return;
  const key = about('PublicKey.networking.liqo.io');
  yield { kind: 'no-public-key', ...key, stops: key.isKnown && !isConnected };
}

/** Reports several objects of a peer where Liqo expects one: either none works, or each in turn. */
export function* severalObjects(
  end: Pick<LiveEnd, 'cluster' | 'remote' | 'configuration' | 'gateway'>,
  peer: ObservedPeer,
): Iterable<ProblemOf<'several'>> {
  const { configuration, gateway } = end;
  const ofKind = (kind: string, places: readonly Place[]): readonly NamedObject[] =>
    places.map((it) => namedObject(kind, it));
  const lists: readonly Pick<ProblemOf<'several'>, 'what' | 'objects' | 'kept'>[] = [
    {
      what: 'tenant namespaces',
      objects: peer.namespaces.map((name) => ({ kind: 'Namespace', namespace: '', name })),
      kept: null,
    },
    {
      what: 'Configurations',
      objects: ofKind('Configuration', peer.configurations),
      kept: configuration && namedObject('Configuration', configuration),
    },
    {
      what: 'gateways',
      objects: peer.gateways.map(namedGateway),
      kept: gateway && namedGateway(gateway),
    },
    // Gateways read the keys of their own namespace only.
    ...inOneNamespace(peer.publicKeys).map((it) => ({
      what: 'PublicKeys' as const,
      objects: ofKind('PublicKey', it),
      kept: null,
    })),
    ...inOneNamespace(peer.keySecrets).map((it) => ({
      what: 'Secrets with keys' as const,
      objects: ofKind('Secret', it),
      kept: null,
    })),
  ];
  for (const it of lists) {
    const stops = USED_ALONE.includes(it.what);
    if (it.objects.length > 1) yield { kind: 'several', ...sideOf(end), stops, ...it };
  }
}

/** With two of these, Liqo makes neither routes nor rules. */
const USED_ALONE: readonly ProblemOf<'several'>['what'][] = ['gateways', 'Configurations'];

const namedGateway = (it: ObservedGateway): NamedObject => namedObject(gatewayKind(it.role), it);

const inOneNamespace = (places: readonly Place[]): readonly (readonly Place[])[] => [
  ...groupBy(places, (it) => [it.namespace]).values(),
];

function* staleNetworks(
  end: LiveEnd,
  configuration: ObservedConfiguration,
  clusters: ClustersById,
): Iterable<LinkProblem> {
  const object = namedObject('Configuration', configuration);
  const cidrsOf = (cluster: string, cidr: OwnRole): readonly string[] => {
    const facts = clusters.get(cluster);
    return facts === undefined ? [] : ownCidrs(facts, cidr);
  };
  for (const cidr of CIDR_KINDS) {
    const [named, has] = [configuration.remote[cidr], cidrsOf(end.remote, cidr)];
    if (has.length > 0 && !sameSet(named, has))
      yield { kind: 'stale-view', ...sideOf(end), stops: cidr === 'pod', object, cidr, named, has };
  }
  if (configuration.local === null) return;
  for (const cidr of CIDR_KINDS) {
    const [named, has] = [configuration.local[cidr], cidrsOf(end.cluster, cidr)];
    if (has.length > 0 && !sameSet(named, has))
      yield { kind: 'stale-local', ...sideOf(end), stops: false, object, cidr, named, has };
  }
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  sortedUnique(a).join() === sortedUnique(b).join();

/** Reports a Configuration that Liqo has not processed. */
export function* configurationProblems(
  end: Pick<LiveEnd, 'cluster' | 'remote'>,
  configuration: ObservedConfiguration,
): Iterable<ProblemOf<'no-view'> | ProblemOf<'unconfirmed'>> {
  const { remote, seen, conditions, generation, isReady } = configuration;
  const about = { ...sideOf(end), object: namedObject('Configuration', configuration) };
  const hasViews = CIDR_KINDS.every((it) => seen?.[it].length === remote[it].length && !seen[it].includes(''));
  if (!hasViews) yield { kind: 'no-view', ...about, stops: seen === null, hasStatus: seen !== null };
  for (const condition of conditions) {
    if (condition.status !== 'True' || isBehind(condition, generation))
      yield { kind: 'unconfirmed', ...about, stops: false, condition, generation, isReady, hasViews };
  }
  if (hasViews && !conditions.some((it) => it.type === NETWORKS_CONDITION))
    yield { kind: 'unconfirmed', ...about, stops: false, condition: null, generation, isReady, hasViews };
}

/** True when a condition is about an earlier generation of its object. */
export const isBehind = (condition: ObservedConfiguration['conditions'][number], generation: number | null): boolean =>
  condition.generation !== null && generation !== null && condition.generation < generation;

function* otherNetworks(
  end: LiveEnd,
  { networks }: ObservedPeer,
  configuration: ObservedConfiguration,
): Iterable<LinkProblem> {
  const { remote, seen } = configuration;
  const object = namedObject('Configuration', configuration);
  const byCidr = new Map(networks.map((it) => [`${it.kind} ${it.asked}`, it]));
  for (const kind of CIDR_KINDS) {
    for (const [index, cidr] of remote[kind].entries()) {
      const [found, view] = [byCidr.get(`${kind} ${cidr}`), seen?.[kind][index]];
      if (found?.given == null || view === undefined || found.given === view) continue;
      const network = namedObject('Network', found);
      yield { kind: 'other-network', ...sideOf(end), stops: false, object, network, given: found.given, view };
    }
  }
}

/** Returns the reason why a cluster's first gateway for a peer has no tunnel; `null` when it has one. */
export function connectionProblem(
  { remote, gateways: [gateway], connections: [connection] }: ObservedPeer,
  cluster: string,
): ProblemOf<'no-connection'> | ProblemOf<'not-connected'> | null {
  if (connection?.value === 'Connected') return null;
  const isWithoutEndpoint = gateway?.role === 'server' && gateway.reachable === null;
  const waitsFor = gateway?.hasPod === true ? (isWithoutEndpoint ? 'endpoint' : null) : 'pod';
  const about = { cluster, peer: remote, stops: true, waitsFor } as const;
  return connection === undefined
    ? { kind: 'no-connection', ...about }
    : { kind: 'not-connected', ...about, object: namedObject('Connection', connection), value: connection.value ?? '' };
}

/** Values of a gateway on which both ends have to agree. */
export interface GatewayEnd {
  readonly role: 'server' | 'client';
  readonly mtu: number | null;
  /** The port that a server offers, or a client dials. */
  readonly port: number | null;
}

export const gatewayEnd = (gateway: ObservedGateway): GatewayEnd => ({
  role: gateway.role,
  mtu: gateway.mtu,
  port: tunnelPort(gateway),
});

/** Compares two gateways of one link; true for each difference, and for equal roles. */
export const disagreements = (one: GatewayEnd, other: GatewayEnd) => ({
  role: one.role === other.role,
  mtu: one.mtu !== other.mtu,
  port: one.role !== other.role && one.port !== null && other.port !== null && one.port !== other.port,
});

function* gatewayProblems({ ends: [a, b], server, client }: LiveLink): Iterable<LinkProblem> {
  if (a.gateway === null || b.gateway === null || server.gateway === null || client.gateway === null) return;
  const differs = disagreements(gatewayEnd(a.gateway), gatewayEnd(b.gateway));
  const ofFirst = { ...sideOf(a), gateway: namedGateway(a.gateway), peerGateway: namedGateway(b.gateway) };
  if (differs.role) yield { kind: 'same-role', ...ofFirst, stops: true };
  if (differs.mtu) yield { kind: 'mtu-differs', ...ofFirst, stops: false, mtu: a.gateway.mtu, peerMtu: b.gateway.mtu };
  const [dials, offers] = [tunnelPort(client.gateway), tunnelPort(server.gateway)];
  if (!differs.port || dials === null || offers === null) return;
  const [address = ''] = client.gateway.dials?.addresses ?? [];
  const isServersAddress = server.gateway.reachable?.addresses.includes(address) ?? false;
  yield {
    kind: 'dials-another-port',
    ...sideOf(client),
    stops: isServersAddress,
    gateway: namedGateway(client.gateway),
    peerGateway: namedGateway(server.gateway),
    ...{ address, dials, offers, isServersAddress },
  };
}

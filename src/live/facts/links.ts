import { byCodeUnit, inOrder } from '../../base/core/collections.ts';
import { printLinkId } from '../../base/core/lock-key.ts';
import { NODE_PORTS } from '../../base/releases/gateways.ts';
import type { ObservedCluster } from './cluster.ts';
import { type ObservedConfiguration, type ObservedGateway, type ObservedPeer, tunnelPort } from './peer.ts';

/** A link as its two clusters have it, sorted by name. */
export interface LiveLink {
  readonly id: string;
  readonly ends: readonly [LiveEnd, LiveEnd];
  readonly server: LiveEnd;
  readonly client: LiveEnd;
}

/** One cluster's part of a link. If there are several objects where Liqo expects one, the one most likely in use. */
export interface LiveEnd {
  readonly cluster: string;
  readonly remote: string;
  /** True when the cluster was dumped. */
  readonly isDumped: boolean;
  /** `null` when the cluster has nothing for the link. */
  readonly peer: ObservedPeer | null;
  readonly configuration: ObservedConfiguration | null;
  readonly gateway: ObservedGateway | null;
}

export type ClustersById = ReadonlyMap<string, ObservedCluster>;

/** Returns every pair of clusters of which at least one has objects for the other, sorted by link ID. */
export function liveLinks(clusters: ClustersById): readonly LiveLink[] {
  const pairs = new Map<string, readonly [string, string]>();
  for (const { cluster, peers } of clusters.values()) {
    for (const remote of peers.keys()) {
      if (remote === cluster) continue;
      const [first, second] = inOrder(cluster, remote);
      pairs.set(printLinkId({ first, second }), [first, second]);
    }
  }
  return [...pairs].sort(([a], [b]) => byCodeUnit(a, b)).map(([id, [a, b]]) => liveLink(id, [a, b], clusters));
}

function liveLink(id: string, [a, b]: readonly [string, string], clusters: ClustersById): LiveLink {
  const ends = [liveEnd(a, b, clusters), liveEnd(b, a, clusters)] as const;
  const [one, other] = ends;
  const isServer = servesIn(one, other);
  return { id, ends, server: isServer ? one : other, client: isServer ? other : one };
}

function liveEnd(cluster: string, remote: string, clusters: ClustersById): LiveEnd {
  const peer = clusters.get(cluster)?.peers.get(remote) ?? null;
  return {
    cluster,
    remote,
    isDumped: clusters.has(cluster),
    peer,
    configuration: preferred(peer?.configurations ?? [], (it) => [it.isReady, it.name === remote]),
    gateway: preferred(peer?.gateways ?? [], (it) => [isConnected(peer, it), it.name === remote]),
  };
}

/** True when the first of two ends is the server. When both have the same role, the end that the other one dials. */
function servesIn({ gateway }: LiveEnd, { gateway: other }: LiveEnd): boolean {
  if (gateway === null) return other?.role === 'client';
  return gateway.role === 'server' && other?.role !== 'server' ? true : gateway.role === other?.role;
}

/** Returns the first object for which the most important claims hold. */
function preferred<T extends { readonly namespace: string; readonly name: string }>(
  objects: readonly T[],
  claims: (it: T) => readonly boolean[],
): T | null {
  const rank = (it: T): string =>
    `${claims(it)
      .map((one) => (one ? '0' : '1'))
      .join('')} ${it.namespace}/${it.name}`;
  return [...objects].sort((a, b) => byCodeUnit(rank(a), rank(b)))[0] ?? null;
}

/** A Connection has the name of its gateway with a prefix. Source: liqotech/liqo@v1.2.0 pkg/gateway/forge/utils.go. */
const isConnected = (peer: ObservedPeer | null, { namespace, name }: ObservedGateway): boolean =>
  (peer?.connections ?? []).some(
    (it) => it.value === 'Connected' && it.namespace === namespace && it.name === `gw-${name}`,
  );

/** The endpoint of a link, from the ends that are known. */
export interface Served {
  readonly link: LiveLink;
  readonly service: 'NodePort' | 'LoadBalancer' | 'ClusterIP';
  /** `GatewayServer.spec.endpoint.port`; `null` while only the client is known. */
  readonly servicePort: number | null;
  /** The port on which the server listens for the client: its node port, or the port of its Service. */
  readonly offered: number;
  readonly loadBalancerIP: string | null;
  readonly annotations: Readonly<Record<string, string>>;
  /** The address that the client dials. */
  readonly address: string;
  readonly port: number;
}

/** Returns `null` while neither end has the server's address and port: there is no gateway yet. */
export function servedAs(link: LiveLink): Served | null {
  const server = link.server.gateway?.role === 'server' ? link.server.gateway : null;
  const dials = dialsOf(link.client);
  const [reachable, asked] = [server?.reachable ?? null, server?.service ?? null];
  const address = dials?.address ?? reachable?.addresses[0] ?? asked?.loadBalancerIP;
  const service = serviceType(asked?.type, dials?.port ?? null);
  const offered = (server && tunnelPort(server)) || dials?.port;
  if (address === undefined || address === null || !offered) return null;
  return {
    link,
    service,
    servicePort: asked?.port || null,
    offered,
    loadBalancerIP: service === 'LoadBalancer' ? (asked?.loadBalancerIP ?? null) : null,
    annotations: asked?.annotations ?? {},
    address,
    port: dials?.port ?? offered,
  };
}

/** When the server was not dumped, only the port that its client dials is known. */
function serviceType(type: string | undefined, dialled: number | null): Served['service'] {
  if (type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP') return type;
  const isNodePort = dialled !== null && dialled >= NODE_PORTS.first && dialled <= NODE_PORTS.last;
  return isNodePort ? 'NodePort' : 'LoadBalancer';
}

function dialsOf({ gateway }: LiveEnd): { readonly address: string; readonly port: number } | null {
  const [address] = gateway?.dials?.addresses ?? [];
  const port = gateway?.dials?.port;
  return address === undefined || !port ? null : { address, port };
}

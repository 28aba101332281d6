import { byCodeUnit, inOrder } from '../../base/core/collections.ts';
import { printLinkId } from '../../base/core/lock-key.ts';
import { NODE_PORTS } from '../../base/releases/gateways.ts';
import type { ObservedCluster } from './cluster.ts';
import { type ObservedConfiguration, type ObservedGateway, type ObservedPeer, tunnelPort } from './peer.ts';

/** A link as its two clusters have it, in order of name. */
export interface LiveLink {
  readonly id: string;
  readonly ends: readonly [LiveEnd, LiveEnd];
  readonly server: LiveEnd;
  readonly client: LiveEnd;
}

/** What one cluster has of a link. Of several objects where Liqo wants one, the one that is most likely in use. */
export interface LiveEnd {
  readonly cluster: string;
  readonly remote: string;
  /** Whether there is a dump of the cluster. */
  readonly isDumped: boolean;
  /** `null` for a cluster that knows nothing of the link. */
  readonly peer: ObservedPeer | null;
  readonly configuration: ObservedConfiguration | null;
  readonly gateway: ObservedGateway | null;
}

export type ClustersById = ReadonlyMap<string, ObservedCluster>;

/** Every pair of clusters of which at least one has something for the other, by identity. */
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

/** Whether the first of two ends is the server; where both say the same, the one that the other dials. */
function servesIn({ gateway }: LiveEnd, { gateway: other }: LiveEnd): boolean {
  if (gateway === null) return other?.role === 'client';
  return gateway.role === 'server' && other?.role !== 'server' ? true : gateway.role === other?.role;
}

/** The first for which the most important claims hold. */
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

/** A Connection is called after its gateway. Source: liqotech/liqo@v1.2.0 pkg/gateway/forge/utils.go. */
const isConnected = (peer: ObservedPeer | null, { namespace, name }: ObservedGateway): boolean =>
  (peer?.connections ?? []).some(
    (it) => it.value === 'Connected' && it.namespace === namespace && it.name === `gw-${name}`,
  );

/** How a link is served, from whatever of its two ends is known. */
export interface Served {
  readonly link: LiveLink;
  readonly service: 'NodePort' | 'LoadBalancer' | 'ClusterIP';
  /** `GatewayServer.spec.endpoint.port`; `null` while only the client is known. */
  readonly servicePort: number | null;
  /** Where the server listens for the client: its node port, or the port of its Service. */
  readonly offered: number;
  readonly loadBalancerIP: string | null;
  readonly annotations: Readonly<Record<string, string>>;
  /** What the client dials. */
  readonly address: string;
  readonly port: number;
}

/** `null` while neither end says where the client finds the server: there is no gateway yet. */
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

/** Of a server that nobody dumped, only the port that its client dials is known. */
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

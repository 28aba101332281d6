import { printLinkId } from '../../base/core/link-id.ts';
import { byCodeUnit, inOrder } from '../../base/core/order.ts';
import type {
  ObservedCluster,
  ObservedConfiguration,
  ObservedGateway,
  ObservedPeer,
} from '../observed/observed-cluster.ts';

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

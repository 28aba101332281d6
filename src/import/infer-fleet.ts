import { printLinkId } from '../core/link-id.ts';
import { byCodeUnit, inOrder } from '../core/order.ts';
import type { ObservedCluster } from '../observed/observed-cluster.ts';
import type { ClusterSpec, LinkEntry, Topology } from '../schema-types/topology.ts';
import type { ImportedFleet } from './imported-fleet.ts';
import { liveNetworkOf } from './live-network-of.ts';

/** A topology, keys and decisions that describe live clusters, in the form in which a person would have written them. */
export function inferFleet(clusters: readonly ObservedCluster[], { name }: { readonly name: string }): ImportedFleet {
  const links = linksAmong(clusters);
  const topology: Topology = {
    version: 1,
    name,
    clusters: Object.fromEntries(clusters.map((it) => [it.cluster, clusterSpec(it)])),
    peerings: links.map((it) => linkEntry(it, new Map(clusters.map((one) => [one.cluster, one])))),
  };
  return { topology, comments: new Map(), keys: keysOf(clusters), live: liveNetworkOf(clusters), findings: [] };
}

function linksAmong(clusters: readonly ObservedCluster[]): readonly (readonly [string, string])[] {
  const pairs = clusters.flatMap((it) => [...it.peers.keys()].map((peer) => inOrder(it.cluster, peer)));
  const byId = new Map(pairs.map(([first, second]) => [printLinkId({ first, second }), [first, second] as const]));
  return [...byId].sort(([a], [b]) => byCodeUnit(a, b)).map(([, pair]) => pair);
}

function linkEntry(between: readonly [string, string], clusters: ReadonlyMap<string, ObservedCluster>): LinkEntry {
  const [a, b] = between;
  const gatewayOf = (from: string, to: string) => clusters.get(from)?.peers.get(to)?.gateways[0];
  const [client, server] = gatewayOf(a, b)?.role === 'client' ? [a, b] : [b, a];
  const address = gatewayOf(client, server)?.dials?.addresses[0];
  return { between: [a, b], server, ...(address === undefined ? {} : { address }) };
}

function clusterSpec({ own }: ObservedCluster): ClusterSpec {
  const [pod, service, external, internal] = [own.pod, own.service, own.external, own.internal].map(
    (it) => it[0]?.asked,
  );
  return { podCIDR: pod, serviceCIDR: service, externalCIDR: external, internalCIDR: internal } as ClusterSpec;
}

/** The key that a cluster holds of its peer is the one of the peer's gateway towards it. */
function keysOf(clusters: readonly ObservedCluster[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const keys = new Map<string, Map<string, string>>();
  for (const { cluster, peers } of clusters) {
    for (const peer of peers.values()) {
      const [found] = peer.publicKeys;
      if (found?.key == null) continue;
      const own = keys.get(peer.remote) ?? new Map<string, string>();
      keys.set(peer.remote, own.set(cluster, found.key));
    }
  }
  return keys;
}

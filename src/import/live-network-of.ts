import type { LiveNetwork, LivePort, LiveView, WaitingView } from '../adopt/live-network.ts';
import { readPrefix } from '../net/text.ts';
import type { ObservedCluster, ObservedConfiguration, ObservedPeer } from '../observed/observed-cluster.ts';

/** What these clusters have decided: how each sees its peers, and where it serves them. */
export function liveNetworkOf(clusters: readonly ObservedCluster[]): LiveNetwork {
  const peers = clusters.flatMap((it) => [...it.peers.values()].map((peer) => ({ cluster: it.cluster, peer })));
  const read = peers.flatMap(({ cluster, peer }) => viewsOf(cluster, peer));
  return {
    views: read.filter((it) => 'seenAs' in it),
    waiting: read.filter((it) => !('seenAs' in it)),
    ports: peers.flatMap(({ cluster, peer }) => portsOf(cluster, peer)),
  };
}

/** Of several Configurations of one peer, the first one counts. */
function viewsOf(viewer: string, peer: ObservedPeer): readonly (LiveView | WaitingView)[] {
  const [configuration] = peer.configurations;
  if (configuration === undefined) return [];
  const given = new Map(peer.networks.map((it) => [`${it.kind} ${it.asked}`, it.made]));
  return (['pod', 'external'] as const).flatMap((kind) =>
    configuration.remote[kind].flatMap((text, index) => {
      const cidr = readPrefix(text);
      if (!cidr.ok) return [];
      const view = { viewer, peer: peer.remote, kind, cidr: cidr.prefix, object: placeOf(configuration) };
      const seenAs = readPrefix(configuration.seen?.[kind][index] ?? '');
      if (!seenAs.ok) return [view];
      const { created, version } = given.get(`${kind} ${text}`) ?? configuration.made;
      return [{ ...view, seenAs: seenAs.prefix, given: { created, version } }];
    }),
  );
}

const placeOf = ({ namespace, name }: ObservedConfiguration): LiveView['object'] => ({ namespace, name });

function portsOf(server: string, { remote: client, gateways }: ObservedPeer): readonly LivePort[] {
  const service = gateways.find((it) => it.role === 'server')?.service;
  const port = service?.type === 'NodePort' ? service.nodePort : service?.port;
  return port == null ? [] : [{ server, client, port }];
}

import { readPrefix } from '../../base/net/text.ts';
import type { LiveNetwork, LivePort, LiveView, WaitingView } from '../adopt/live-network.ts';
import type { ObservedCluster, ObservedConfiguration } from '../observed/observed-cluster.ts';
import { servedAs } from './dialled.ts';
import { type LiveEnd, liveLinks } from './live-link.ts';

/** What these clusters have decided: how each sees its peers, and where it serves them. */
export function liveNetworkOf(clusters: readonly ObservedCluster[]): LiveNetwork {
  const links = liveLinks(new Map(clusters.map((it) => [it.cluster, it])));
  const read = links.flatMap((it) => it.ends.flatMap(viewsOf));
  return {
    views: read.filter((it) => 'seenAs' in it),
    waiting: read.filter((it) => !('seenAs' in it)),
    ports: links.flatMap((it): readonly LivePort[] => {
      const served = servedAs(it);
      if (served === null) return [];
      const isDialled = it.server.gateway?.role !== 'server';
      return [{ server: it.server.cluster, client: it.client.cluster, port: served.offered, isDialled }];
    }),
  };
}

function viewsOf({ cluster: viewer, remote, peer, configuration }: LiveEnd): readonly (LiveView | WaitingView)[] {
  if (configuration === null) return [];
  const given = new Map((peer?.networks ?? []).map((it) => [`${it.kind} ${it.asked}`, it.made]));
  return (['pod', 'external'] as const).flatMap((kind) =>
    configuration.remote[kind].flatMap((text, index) => {
      const cidr = readPrefix(text);
      if (!cidr.ok) return [];
      const view = { viewer, peer: remote, kind, cidr: cidr.prefix, object: placeOf(configuration) };
      const seenAs = readPrefix(configuration.seen?.[kind][index] ?? '');
      if (!seenAs.ok) return [view];
      const { created, version } = given.get(`${kind} ${text}`) ?? configuration.made;
      return [{ ...view, seenAs: seenAs.prefix, given: { created, version } }];
    }),
  );
}

const placeOf = ({ namespace, name }: ObservedConfiguration): LiveView['object'] => ({ namespace, name });

import { type AddressedModel, viewsOf } from '../ipam/addressed-model.ts';
import { samePrefix } from '../net/prefix.ts';
import type { LiveNetwork, WaitingView } from './live-network.ts';

/** What live clusters have decided about the links and CIDRs of a topology. What else they have is drift. */
export function adoptableOf({ clusters, links }: AddressedModel, live: readonly LiveNetwork[]): LiveNetwork {
  const isInTopology = ({ viewer, peer, cidr }: WaitingView): boolean => {
    const known = clusters.get(viewer)?.peers.get(peer);
    return known !== undefined && viewsOf(known).some((it) => samePrefix(it.cidr, cidr));
  };
  const served = new Set(links.map((it) => `${it.server.cluster.name}/${it.client.cluster.name}`));
  return {
    views: live.flatMap((it) => it.views).filter(isInTopology),
    waiting: live.flatMap((it) => it.waiting).filter(isInTopology),
    ports: live.flatMap((it) => it.ports).filter((it) => served.has(`${it.server}/${it.client}`)),
  };
}

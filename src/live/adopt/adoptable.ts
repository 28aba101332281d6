import { samePrefix } from '../../base/net/prefix.ts';
import { type AddressedModel, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { LiveNetwork, LivePort, WaitingView } from './live-network.ts';

/** What live clusters have decided about the links and CIDRs of a topology. What else they have is drift. */
export function adoptableOf({ clusters, links }: AddressedModel, live: readonly LiveNetwork[]): LiveNetwork {
  const isInTopology = ({ viewer, peer, cidr }: WaitingView): boolean => {
    const known = clusters.get(viewer)?.peers.get(peer);
    return known !== undefined && viewsOf(known).some((it) => samePrefix(it.cidr, cidr));
  };
  const ports = live.flatMap((it) => it.ports);
  const known = new Set(ports.filter((it) => it.isDialled !== true).map(pairOf));
  const served = new Set(links.map((it) => pairOf({ server: it.server.cluster.name, client: it.client.cluster.name })));
  return {
    views: live.flatMap((it) => it.views).filter(isInTopology),
    waiting: live.flatMap((it) => it.waiting).filter(isInTopology),
    // What a client dials counts where nothing shows what its server has.
    ports: ports.filter((it) => served.has(pairOf(it)) && (it.isDialled !== true || !known.has(pairOf(it)))),
  };
}

const pairOf = ({ server, client }: Pick<LivePort, 'server' | 'client'>): string => `${server}/${client}`;

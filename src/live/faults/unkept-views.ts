import { containsAddress, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix, readPrefix } from '../../base/net/text.ts';
import { type AddressedModel, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import { viewObstacle } from '../../fleet/ipam/view-obstacle.ts';
import type { LiveView } from '../adopt/live-network.ts';
import { overlappingViews } from '../adopt/overlapping-views.ts';
import type { LinkFault } from './link-fault.ts';

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

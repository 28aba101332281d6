import { changeKind } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { viewsOfKind } from '../earlier-views.ts';
import { ADDRESSES, hubFiles, inFolder } from '../file-claim.ts';
import { type Flows, flowsBetween } from '../flows.ts';
import { type NetworkState, pairOf, type ViewState } from '../network-state.ts';
import type { PlanContext } from '../plan-context.ts';
import { isPart, peerOf } from '../plan-file.ts';
import { aboutSide } from '../subject.ts';
import { after, breaks, together } from '../verdict.ts';

export const viewMoved = changeKind('view-moved')({
  identity: ({ cluster, peer, cidr, index }) => [cluster, peer, cidr, String(index)],
  subject: aboutSide,
  code: 'plan/view-moves',
  judge: (it, context) =>
    breaks(
      'change',
      'old-addresses-are-wrong',
      ...(isAskedAgain(it, context) ? [] : [together('delete-before-applying'), after('compare-views')]),
    ),
  flows: (it, context) => readdressed(it, context),
  explains: ({ cluster, peer }, context) => [
    ADDRESSES,
    ...hubFiles([cluster, peer], context),
    inFolder(
      cluster,
      (file) =>
        isPart(file, 'expected') || (isPart(file, 'peer', 'gateway-rules', 'node-rules') && peerOf(file) === peer),
    ),
  ],
});

/** The IPAM does not move an allocated Network; only a new Network is allocated again. */
function isAskedAgain({ cluster, peer, cidr, index }: Difference<'view-moved'>, context: PlanContext): boolean {
  if (context.reinstalled.has(cluster)) return true;
  const views = ({ links }: NetworkState): readonly ViewState[] => {
    const side = links.get(pairOf(cluster, peer))?.sides.get(cluster);
    return side === undefined ? [] : viewsOfKind(side, cidr);
  };
  const announced = views(context.after)[index]?.cidr;
  const isNew = views(context.before).every((it) => it.cidr !== announced);
  return context.hasTrait(cluster, 'namesPeerNetworksByCIDR') && isNew;
}

/**
 * A moved view changes the addresses that the two clusters use for each other. The external view of a cluster also
 * contains everything behind it; and a cluster that sees a peer's pods at new addresses must map its own addresses to
 * those, for all others that reach the peer through it.
 */
const readdressed = ({ cluster, peer, cidr }: Difference<'view-moved'>, { was }: PlanContext): readonly Flows[] =>
  was.areLinked(cluster, peer)
    ? [
        ...flowsBetween('readdressed', cluster, [peer]),
        ...(cidr === 'external'
          ? flowsBetween('readdressed', cluster, was.reachedThrough(peer, cluster))
          : flowsBetween('interrupted', peer, was.reachedThrough(cluster, peer))),
      ]
    : [];

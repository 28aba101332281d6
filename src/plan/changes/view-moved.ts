import { changeKind } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { ADDRESSES, hubFiles, inFolder } from '../file-claim.ts';
import { type Flows, flowsBetween } from '../flows.ts';
import { type NetworkState, pairOf } from '../network-state.ts';
import type { PlanContext } from '../plan-context.ts';
import { isPart, peerOf } from '../plan-file.ts';
import { aboutSide } from '../subject.ts';
import { after, breaks } from '../verdict.ts';

export const viewMoved = changeKind('view-moved')({
  identity: ({ cluster, peer, cidr, index }) => [cluster, peer, cidr, String(index)],
  subject: aboutSide,
  code: 'plan/view-moves',
  judge: (it, context) =>
    breaks(
      'change',
      'old-addresses-are-wrong',
      ...(isReplacedByLiqo(it, context) ? [] : [after('recreate-configuration')]),
    ),
  flows: readdressed,
  explains: ({ cluster, peer }, context) => [
    ADDRESSES,
    ...hubFiles([cluster, peer], context),
    inFolder(
      cluster,
      (file) => isPart(file, 'expected') || (isPart(file, 'gateway-rules', 'node-rules') && peerOf(file) === peer),
    ),
  ],
});

/** The IPAM does not move an allocated Network; only a new Network is allocated again. */
function isReplacedByLiqo(it: Difference<'view-moved'>, { before, after: next, replacesChangedNetworks }: PlanContext) {
  const announced = ({ links }: NetworkState): string | undefined =>
    links
      .get(pairOf(it.cluster, it.peer))
      ?.sides.get(it.cluster)
      ?.views.filter((view) => view.kind === it.cidr)[it.index]?.cidr;
  return replacesChangedNetworks(it.cluster) && announced(before) !== announced(next);
}

/**
 * A moved view changes the addresses that the two clusters use for each other. The external view of a hub also contains
 * everything behind the hub; and a hub that sees a spoke's pods at new addresses must map its own addresses to those.
 */
function readdressed({ cluster, peer, cidr }: Difference<'view-moved'>, { is }: PlanContext): readonly Flows[] {
  return [
    ...flowsBetween('readdressed', cluster, [peer]),
    ...(cidr === 'external' && is.isHubOf(peer, cluster)
      ? flowsBetween('readdressed', cluster, is.spokesBehind(peer, cluster))
      : []),
    ...(cidr === 'pod' && is.isHubOf(cluster, peer)
      ? flowsBetween('interrupted', peer, is.spokesBehind(cluster, peer))
      : []),
  ];
}

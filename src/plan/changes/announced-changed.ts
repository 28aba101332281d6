import { changeKind } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { ADDRESSES, inFolder } from '../file-claim.ts';
import { flowsThroughTunnel } from '../flows-through.ts';
import { type ListChange, listChange } from '../list-change.ts';
import { pairOf } from '../network-state.ts';
import type { PlanContext } from '../plan-context.ts';
import { isPart, peerOf } from '../plan-file.ts';
import { aboutSide } from '../subject.ts';
import { after, before, breaks, harmless, together } from '../verdict.ts';

export const announcedChanged = changeKind('announced-changed')({
  identity: ({ cluster, peer, cidr }) => [cluster, peer, cidr],
  subject: aboutSide,
  code: 'plan/view-moves',
  judge: (it, context) => {
    switch (effectOf(it, context)) {
      case 'reinstalled':
        return breaks('change', 'every-view-is-new');
      case 'immutable':
        return breaks('change', 'network-is-immutable', together('delete-before-applying'), after('compare-views'));
      case 'contended':
        return breaks('change', 'network-is-awaited', together('delete-before-applying'), after('compare-views'));
      case 'replaced':
        return context.asked.ofOthersAgain(it.cluster, it.peer)
          ? breaks('change', 'network-is-replaced', after('wait-for-the-new-view'), after('compare-views'))
          : breaks('change', 'network-is-replaced', after('wait-for-the-new-view'));
      case 'removed':
        return breaks('change', 'network-is-released', before('stop-using-the-network'));
      case 'added':
        return context.asked.ofOthersAgain(it.cluster, it.peer)
          ? harmless('change', 'network-is-added', together('wait-for-every-view'), after('compare-views'))
          : harmless('change', 'network-is-added', together('wait-for-every-view'));
      case 'reordered':
        return harmless('change', 'networks-keep-their-views');
    }
  },
  flows: (it, context) => {
    const effect = effectOf(it, context);
    if (effect === 'added' || effect === 'reordered') return [];
    const flows = effect === 'removed' ? 'readdressed' : 'interrupted';
    return flowsThroughTunnel([it.cluster, it.peer], context, flows);
  },
  explains: ({ cluster, peer }) => [
    ADDRESSES,
    inFolder(cluster, (file) => isPart(file, 'expected', 'node-rules') || peerOf(file) === peer),
  ],
});

/**
 * A Network with its CIDR in its name comes and goes with that CIDR, and the others of the list stay as they are; but another
 * Configuration may ask before what goes is gone. In older releases the one Network of a live Configuration is immutable.
 */
function effectOf(
  { cluster, peer, from, to }: Difference<'announced-changed'>,
  { before: { links }, hasTrait, reinstalled, asked }: PlanContext,
): ListChange | 'reinstalled' | 'immutable' | 'contended' {
  if (reinstalled.has(cluster)) return 'reinstalled';
  if (!hasTrait(cluster, 'namesPeerNetworksByCIDR')) return 'immutable';
  const effect = listChange(
    from.map((it) => it.cidr),
    to.map((it) => it.cidr),
  );
  const was = links.get(pairOf(cluster, peer))?.sides.get(cluster);
  return (effect === 'replaced' || effect === 'removed') && was !== undefined && asked.beforeRelease(was)
    ? 'contended'
    : effect;
}

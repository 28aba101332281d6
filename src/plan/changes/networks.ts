import { aboutCluster, after, before, breaks, changeKind, follows, harmless } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { inFolder } from '../file-claim.ts';
import { flowsThroughCluster } from '../flows.ts';
import { keepsOldViews } from '../network-state.ts';
import type { PlanContext } from '../plan-context.ts';
import { hasOwnNetworks, isPart } from '../plan-file.ts';

export const ownCidrChanged = changeKind('own-cidr-changed')({
  identity: ({ cluster, role }) => [cluster, role],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: 'plan/view-moves',
  judge: (it, context) => {
    switch (effectOf(it, context)) {
      case 'reinstalled':
        return keepsOldViews(it.cluster, context.after)
          ? breaks('change', 'own-networks-are-fixed', before('reinstall-with-new-values'), before('relock'))
          : breaks('change', 'own-networks-are-fixed', before('reinstall-with-new-values'));
      case 'replaced':
        return breaks(
          'change',
          'pods-need-new-addresses',
          before('add-before-removing'),
          before('upgrade-and-restart'),
        );
      case 'removed':
        return breaks('change', 'pod-network-goes', before('empty-the-network'), before('upgrade-and-restart'));
      case 'added':
        // This step comes first, so that no view of a peer gets the network.
        return harmless('change', 'pod-network-comes', before('upgrade-and-restart'), after('use-the-network'));
      case 'reordered':
        return harmless('change', 'same-networks');
    }
  },
  flows: (it, context) => {
    const effect = effectOf(it, context);
    if (effect === 'added' || effect === 'reordered') return [];
    return flowsThroughCluster(it.cluster, context, effect === 'removed' ? 'readdressed' : 'interrupted');
  },
  explains: ({ cluster, role }, { hasTrait }) => {
    // Up to 1.0.0 the rules of the cluster's gateways match its own announced networks.
    const isMatched = (role === 'pod' || role === 'external') && !hasTrait(cluster, 'takesSeveralPodCIDRs');
    return [
      // Its Configurations contain its own networks in `spec.local`.
      inFolder(
        cluster,
        (file) => isPart(file, 'helm-values', 'node-rules', 'expected') || (isMatched && isPart(file, 'gateway-rules')),
      ),
    ];
  },
});

/**
 * True when the change needs a new installation. A list of pod CIDRs can grow and shrink; the other own networks are
 * fixed when Liqo is installed.
 */
export const needsNewInstallation = (
  { cluster, role }: Difference<'own-cidr-changed'>,
  hasTrait: PlanContext['hasTrait'],
): boolean => role !== 'pod' || !hasTrait(cluster, 'takesSeveralPodCIDRs');

const effectOf = (it: Difference<'own-cidr-changed'>, { hasTrait }: PlanContext): ListChange | 'reinstalled' =>
  needsNewInstallation(it, hasTrait) ? 'reinstalled' : listChange(it.from, it.to);

export const blockCarved = changeKind('block-carved')({
  identity: ({ cluster, block }) => [cluster, block],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: () => follows('add', 'block-of-its-own'),
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'helm-values'))],
});

export const blockReturned = changeKind('block-returned')({
  identity: ({ cluster, block }) => [cluster, block],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: () => follows('remove', 'free-for-others'),
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'helm-values'))],
});

export const reservationChanged = changeKind('reservation-changed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: () => harmless('change', 'chart-needs-an-upgrade', before('upgrade-chart')),
  // Views that move because of a reservation are separate differences.
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster, hasOwnNetworks)],
});

/** The change of a list of networks: some are added, removed or replaced, or only the order changes. */
export type ListChange = 'added' | 'removed' | 'replaced' | 'reordered';

export function listChange(from: readonly string[], to: readonly string[]): ListChange {
  const [was, is] = [new Set(from), new Set(to)];
  const isRemoved = from.some((it) => !is.has(it));
  const isAdded = to.some((it) => !was.has(it));
  if (isRemoved && isAdded) return 'replaced';
  if (isAdded) return 'added';
  return isRemoved ? 'removed' : 'reordered';
}

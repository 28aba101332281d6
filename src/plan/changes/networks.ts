import { listOf } from '../../base/core/words.ts';
import { aboutCluster, after, before, breaks, changeKind, follows, harmless, OF_CLUSTER } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { flowsThroughCluster } from '../flows.ts';
import { keepsOldViews } from '../network-state.ts';
import type { PlanContext } from '../plan-context.ts';
import { hasOwnNetworks, inFolder, isPart } from '../plan-file.ts';
import { cidrs, RELOCK, UPGRADE_CHART } from './plain-words.ts';

export const ownCidrChanged = changeKind('own-cidr-changed')
  .decided({
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
          (file) =>
            isPart(file, 'helm-values', 'node-rules', 'expected') || (isMatched && isPart(file, 'gateway-rules')),
        ),
      ];
    },
  })
  .worded({
    section: 'Addresses',
    title: ({ cluster, role, from, to, requested }) =>
      `${cluster} has the ${role} ${cidrs(to)} instead of ${from.length === 0 ? 'none' : listOf(from)}${requested === null ? '' : `; its Helm values ask for ${requested}`}`,
    why: {
      'own-networks-are-fixed':
        'a running Liqo cannot change this network, and its Configurations keep the former one in `spec.local`: Liqo is installed again',
      'pods-need-new-addresses': 'every pod in the network that leaves needs another address, and its connections die',
      'pod-network-goes': 'no pod can be reached in the network that leaves',
      'pod-network-comes':
        'the pods of today keep their addresses; pods in the new network reach peers from the unknown source until the Configurations of this cluster are recreated',
      'same-networks': 'the networks stay, in another order',
    },
    steps: {
      'reinstall-with-new-values': {
        what: 'retire the cluster (`retired: true`), reinstall Liqo with the new helm-values.yaml, move the workloads out of the old network, and then remove `retired`',
        on: ({ cluster }) => cluster,
      },
      relock: {
        what: RELOCK,
        on: ({ cluster }) => `--relock ${cluster}`,
      },
      'add-before-removing': {
        what: 'do it in two changes, since a running Liqo cannot change its only pod network and no link is interrupted then: add the new network to the list, and remove the old one once no pod is in it',
        on: ({ cluster, from, to }) => `${cluster}: first podCIDR: [${[...new Set([...from, ...to])].join(', ')}]`,
      },
      'empty-the-network': {
        what: 'move every pod out of the network',
        on: ({ cluster, from, to }) => `${listOf(from.filter((it) => !to.includes(it)))} in ${cluster}`,
      },
      'upgrade-and-restart': {
        what: `${UPGRADE_CHART}, and restart its controller-manager`,
        on: ({ cluster }) => cluster,
      },
      'use-the-network': {
        what: 'let pods use the new network, once all peers have an address for it',
        on: ({ cluster, from, to }) => `${listOf(to.filter((it) => !from.includes(it)))} in ${cluster}`,
      },
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

export const blockCarved = changeKind('block-carved')
  .decided({
    identity: ({ cluster, block }) => [cluster, block],
    subject: ({ cluster }) => aboutCluster(cluster),
    code: null,
    judge: () => follows('add', 'block-of-its-own'),
    flows: () => [],
    explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'helm-values'))],
  })
  .worded({
    section: 'Addresses',
    title: ({ cluster, block, cidr }) => `${cluster} gets ${cidr} as its ${block} CIDR`,
    why: { 'block-of-its-own': 'no other cluster of the fleet uses this block' },
    steps: {},
  });

export const blockReturned = changeKind('block-returned')
  .decided({
    identity: ({ cluster, block }) => [cluster, block],
    subject: ({ cluster }) => aboutCluster(cluster),
    code: null,
    judge: () => follows('remove', 'free-for-others'),
    flows: () => [],
    explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'helm-values'))],
  })
  .worded({
    section: 'Addresses',
    title: ({ cluster, block, cidr }) => `${cluster} releases ${cidr}, its ${block} CIDR`,
    why: { 'free-for-others': 'other clusters can use the block again' },
    steps: {},
  });

export const reservationChanged = changeKind('reservation-changed')
  .decided({
    ...OF_CLUSTER,
    code: null,
    judge: () => harmless('change', 'chart-needs-an-upgrade', before('upgrade-chart')),
    // Views that move because of a reservation are separate differences.
    flows: () => [],
    explains: ({ cluster }) => [inFolder(cluster, hasOwnNetworks)],
  })
  .worded({
    section: 'Addresses',
    title: ({ cluster, added, removed }) => {
      const parts = [
        ...(added.length > 0 ? [`reserves ${listOf(added)}`] : []),
        ...(removed.length > 0 ? [`no longer reserves ${listOf(removed)}`] : []),
      ];
      return `${cluster} ${parts.length === 0 ? 'lists its reservations in another order' : listOf(parts)}`;
    },
    why: {
      'chart-needs-an-upgrade': "Liqo's chart must be upgraded with it; views that move are listed separately",
    },
    steps: { 'upgrade-chart': { what: UPGRADE_CHART, on: ({ cluster }) => cluster } },
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

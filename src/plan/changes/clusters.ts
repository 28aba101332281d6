import { aboutCluster, after, before, breaks, changeKind, harmless, together } from '../change-kind.ts';
import { ADDRESSES, ENTRY_POINTS, inFolder } from '../file-claim.ts';
import { flowsThroughCluster } from '../flows.ts';
import { keepsOldViews } from '../network-state.ts';

export const clusterAdded = changeKind('cluster-added')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: (_, { after: { fleet } }) => {
    const { argo, flux } = fleet.tools;
    const steps = [
      before('install-liqo'),
      ...(argo ? [before('register-in-argo')] : []),
      ...(flux ? [before('register-in-flux')] : []),
      ...(argo || flux ? [] : [after('apply-the-bundle')]),
    ];
    return harmless('add', 'unused-so-far', ...steps);
  },
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
});

export const clusterRemoved = changeKind('cluster-removed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster, lookalike }) => aboutCluster(cluster, lookalike === null ? [] : [lookalike]),
  code: 'plan/cluster-leaves',
  judge: ({ wasRetired, lookalike }) => {
    if (wasRetired) return harmless('remove', 'retired-before');
    return lookalike === null
      ? breaks('remove', 'folder-is-removed', before('retire-cluster-first'))
      : breaks('remove', 'looks-renamed', before('declare-a-rename'), before('retire-cluster-first'));
  },
  // The differences of the removed links contain the flows that stop.
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
});

/** Steps for a new cluster ID. No object with the old ID can stay, neither in the cluster nor in its peers. */
const STEPS = [
  before('reinstall-under-new-id'),
  before('provide-secrets-again'),
  together('remove-the-old-objects-first'),
  after('compare-views'),
  after('delete-old-namespaces'),
] as const;

export const clusterRenamed = changeKind('cluster-renamed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster, peers }) => aboutCluster(cluster, peers),
  code: 'plan/cluster-leaves',
  judge: ({ cluster, decisions }, context) => {
    const relock = keepsOldViews(cluster, context.after) ? [before('relock')] : [];
    return decisions === 'declared'
      ? breaks('change', 'cluster-id-is-fixed', ...relock, ...STEPS, after('remove-the-former-name'))
      : breaks('change', 'cluster-id-is-fixed', ...relock, ...STEPS);
  },
  flows: ({ cluster }, context) => flowsThroughCluster(cluster, context),
  explains: ({ cluster, from, peers }) => [
    ADDRESSES,
    ENTRY_POINTS,
    ...[...new Set([from, cluster, ...peers])].map((it) => inFolder(it)),
  ],
});

export const clusterRetired = changeKind('cluster-retired')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: 'plan/cluster-leaves',
  judge: () => breaks('remove', 'bundle-becomes-empty', after('remove-entry-once-pruned')),
  // The differences of the removed links contain the flows that stop.
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
});

/** A cluster is no longer retired. */
export const clusterReturned = changeKind('cluster-returned')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: () => harmless('add', 'had-no-links', before('check-the-installation')),
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
});

import { changeKind } from '../change-kind.ts';
import { ADDRESSES, ENTRY_POINTS, inFolder } from '../file-claim.ts';
import { flowsThroughCluster } from '../flows-through.ts';
import { keepsOldViews } from '../keeps-old-views.ts';
import { aboutCluster } from '../subject.ts';
import { after, before, breaks, together } from '../verdict.ts';

/** What Liqo makes of another cluster ID: nothing of the old one can stay, neither in the cluster nor in its peers. */
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

import { changeKind } from '../change-kind.ts';
import { ADDRESSES, ENTRY_POINTS, inFolder } from '../file-claim.ts';
import { flowsThroughCluster } from '../flows-through.ts';
import { aboutCluster } from '../subject.ts';
import { before, breaks } from '../verdict.ts';

export const clusterRenamed = changeKind('cluster-renamed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster, peers }) => aboutCluster(cluster, peers),
  code: 'plan/cluster-leaves',
  judge: () => breaks('change', 'cluster-id-is-fixed', before('reinstall-under-new-id')),
  flows: ({ cluster }, context) => flowsThroughCluster(cluster, context),
  explains: ({ cluster, from, peers }) => [
    ADDRESSES,
    ENTRY_POINTS,
    ...[...new Set([from, cluster, ...peers])].map((it) => inFolder(it)),
  ],
});

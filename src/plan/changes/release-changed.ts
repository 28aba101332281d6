import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { flowsThroughCluster } from '../flows-through.ts';
import { aboutCluster } from '../subject.ts';
import { before, breaks } from '../verdict.ts';

export const releaseChanged = changeKind('release-changed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: 'plan/breaks-flows',
  judge: () => breaks('change', 'upgrade-restarts-gateways', before('upgrade-liqo')),
  flows: ({ cluster }, context) => flowsThroughCluster(cluster, context),
  explains: ({ cluster }) => [inFolder(cluster)],
});

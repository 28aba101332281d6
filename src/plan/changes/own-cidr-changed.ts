import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { flowsThroughCluster } from '../flows-through.ts';
import { isExpected, isPart } from '../plan-file.ts';
import { aboutCluster } from '../subject.ts';
import { before, breaks } from '../verdict.ts';

export const ownCidrChanged = changeKind('own-cidr-changed')({
  identity: ({ cluster, role }) => [cluster, role],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: 'plan/view-moves',
  judge: () => breaks('change', 'own-networks-are-fixed', before('reinstall-with-new-values')),
  flows: ({ cluster }, context) => flowsThroughCluster(cluster, context),
  explains: ({ cluster }) => [
    inFolder(cluster, (file) => isPart(file, 'helm-values', 'node-rules') || isExpected(file, 'networks')),
  ],
});

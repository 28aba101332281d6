import { changeKind } from '../change-kind.ts';
import { ENTRY_POINTS, inFolder } from '../file-claim.ts';
import { aboutCluster } from '../subject.ts';
import { after, breaks } from '../verdict.ts';

export const clusterRetired = changeKind('cluster-retired')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: 'plan/cluster-leaves',
  judge: () => breaks('remove', 'bundle-becomes-empty', after('remove-entry-once-pruned')),
  // The removed links have the flows that stop.
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
});

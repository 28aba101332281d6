import { changeKind } from '../change-kind.ts';
import { ENTRY_POINTS, inFolder } from '../file-claim.ts';
import { aboutCluster } from '../subject.ts';
import { before, breaks, harmless } from '../verdict.ts';

export const clusterRemoved = changeKind('cluster-removed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: 'plan/cluster-leaves',
  judge: ({ wasRetired }) =>
    wasRetired
      ? harmless('remove', 'retired-before')
      : breaks('remove', 'folder-is-removed', before('retire-cluster-first')),
  // The removed links have the flows that stop.
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
});

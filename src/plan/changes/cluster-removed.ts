import { changeKind } from '../change-kind.ts';
import { ENTRY_POINTS, inFolder } from '../file-claim.ts';
import { aboutCluster } from '../subject.ts';
import { before, breaks, harmless } from '../verdict.ts';

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
  // The removed links have the flows that stop.
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
});

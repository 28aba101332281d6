import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { isPart } from '../plan-file.ts';
import { aboutCluster } from '../subject.ts';
import { follows } from '../verdict.ts';

export const blockCarved = changeKind('block-carved')({
  identity: ({ cluster, block }) => [cluster, block],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: () => follows('add', 'block-of-its-own'),
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'helm-values'))],
});

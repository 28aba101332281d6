import { changeKind } from '../change-kind.ts';
import { ENTRY_POINTS, inFolder } from '../file-claim.ts';
import { aboutCluster } from '../subject.ts';
import { before, harmless } from '../verdict.ts';

/** A cluster is no longer retired. */
export const clusterReturned = changeKind('cluster-returned')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: () => harmless('add', 'had-no-links', before('check-the-installation')),
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
});

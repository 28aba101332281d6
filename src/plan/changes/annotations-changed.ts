import { changeKind } from '../change-kind.ts';
import { theseFiles } from '../file-claim.ts';
import { ABOUT_FLEET, aboutCluster } from '../subject.ts';
import { harmless } from '../verdict.ts';

export const annotationsChanged = changeKind('annotations-changed')({
  identity: ({ cluster }) => [cluster ?? '*'],
  subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
  code: null,
  judge: () => harmless('change', 'only-tools-read-them'),
  flows: () => [],
  explains: ({ cluster, paths }) => [theseFiles(paths, cluster)],
});

import { changeKind } from '../change-kind.ts';
import { theseFiles } from '../file-claim.ts';
import { ABOUT_FLEET, aboutCluster } from '../subject.ts';
import { before, breaks } from '../verdict.ts';

export const filesChanged = changeKind('files-changed')({
  identity: ({ cluster }) => [cluster ?? '*'],
  subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
  code: 'plan/breaks-flows',
  judge: () => breaks('change', 'unexplained', before('look-at-the-difference')),
  flows: () => [],
  explains: ({ cluster, paths }) => [theseFiles(paths, cluster)],
});

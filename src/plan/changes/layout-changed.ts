import { changeKind } from '../change-kind.ts';
import { theseFiles } from '../file-claim.ts';
import { ABOUT_FLEET, aboutCluster } from '../subject.ts';
import { harmless } from '../verdict.ts';

export const layoutChanged = changeKind('layout-changed')({
  identity: ({ cluster }) => [cluster ?? '*'],
  subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
  code: null,
  judge: () => harmless('change', 'same-objects'),
  flows: () => [],
  explains: ({ cluster, paths }) => [theseFiles(paths, cluster)],
});

import { changeKind } from '../change-kind.ts';
import { namespaceFiles } from '../share-files.ts';
import { aboutCluster } from '../subject.ts';
import { after, harmless } from '../verdict.ts';

export const podsChanged = changeKind('pods-changed')({
  identity: ({ cluster, namespace }) => [cluster, namespace],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: () => harmless('change', 'only-for-new-pods', after('create-the-pods-again')),
  flows: () => [],
  explains: (it) => namespaceFiles(it, []),
});

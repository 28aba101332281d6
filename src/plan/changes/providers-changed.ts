import { changeKind } from '../change-kind.ts';
import { namespaceFiles } from '../share-files.ts';
import { aboutCluster } from '../subject.ts';
import { after, before, breaks, harmless } from '../verdict.ts';

export const providersChanged = changeKind('providers-changed')({
  identity: ({ cluster, namespace }) => [cluster, namespace],
  subject: ({ cluster, added, removed }) => aboutCluster(cluster, [...added, ...removed]),
  code: 'plan/sharing-ends',
  judge: ({ deleted, removed }) => {
    if (deleted.length > 0) return breaks('change', 'namespaces-are-deleted', before('save-the-volumes'));
    return removed.length > 0
      ? harmless('change', 'is-in-none-of-these')
      : harmless('change', 'pods-that-run-stay', after('create-the-pods-again'));
  },
  flows: () => [],
  explains: (it) => namespaceFiles(it, [...it.added, ...it.removed]),
});

import { changeKind } from '../change-kind.ts';
import { ENTRY_POINTS } from '../file-claim.ts';
import { namespaceFiles } from '../share-files.ts';
import { aboutCluster } from '../subject.ts';
import { after, harmless } from '../verdict.ts';

export const namespaceOffloaded = changeKind('namespace-offloaded')({
  identity: ({ cluster, namespace }) => [cluster, namespace],
  subject: ({ cluster, providers }) => aboutCluster(cluster, providers),
  code: null,
  // The webhook of Liqo sees pods only when they are created.
  judge: () => harmless('add', 'pods-that-run-stay', after('create-the-pods-again')),
  flows: () => [],
  explains: (it) => [...namespaceFiles(it, it.providers), ENTRY_POINTS],
});

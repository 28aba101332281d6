import { changeKind } from '../change-kind.ts';
import { ENTRY_POINTS } from '../file-claim.ts';
import { namespaceFiles } from '../share-files.ts';
import { aboutCluster } from '../subject.ts';
import { before, breaks, harmless, together } from '../verdict.ts';

export const namespaceWithdrawn = changeKind('namespace-withdrawn')({
  identity: ({ cluster, namespace }) => [cluster, namespace],
  subject: ({ cluster, providers }) => aboutCluster(cluster, providers),
  code: 'plan/sharing-ends',
  judge: ({ deleted }) =>
    deleted.length === 0
      ? harmless('remove', 'is-in-no-provider')
      : breaks('remove', 'namespaces-are-deleted', before('save-the-volumes'), together('wait-for-the-namespaces')),
  flows: () => [],
  explains: (it) => [...namespaceFiles(it, it.providers), ENTRY_POINTS],
});

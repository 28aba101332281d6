import { changeKind } from '../change-kind.ts';
import { namespaceFiles } from '../share-files.ts';
import { aboutCluster } from '../subject.ts';
import { harmless } from '../verdict.ts';

export const namespaceOwnerChanged = changeKind('namespace-owner-changed')({
  identity: ({ cluster, namespace }) => [cluster, namespace],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: ({ isCreated }) =>
    isCreated ? harmless('change', 'made-if-it-is-missing') : harmless('change', 'no-tool-prunes-it'),
  flows: () => [],
  explains: (it) => namespaceFiles(it, []),
});

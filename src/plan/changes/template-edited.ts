import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { flowsThroughCluster } from '../flows-through.ts';
import { isPart } from '../plan-file.ts';
import { aboutCluster } from '../subject.ts';
import { breaks, harmless } from '../verdict.ts';

export const templateEdited = changeKind('template-edited')({
  identity: ({ cluster, action }) => [cluster, action],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: 'plan/gateway-changes',
  judge: ({ action }) => {
    switch (action) {
      case 'add':
        return harmless('add', 'there-before-its-gateways');
      case 'remove':
        return harmless('remove', 'unused-from-now-on');
      case 'change':
        return breaks('change', 'its-gateways-restart');
    }
  },
  flows: ({ cluster, action }, context) => (action === 'change' ? flowsThroughCluster(cluster, context) : []),
  explains: ({ cluster }) => [
    inFolder(cluster, (file) => isPart(file, 'gateway-templates', 'kustomization', 'unordered')),
  ],
});

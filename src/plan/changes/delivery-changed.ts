import { changeKind } from '../change-kind.ts';
import { anywhere } from '../file-claim.ts';
import { isPart } from '../plan-file.ts';
import { ABOUT_FLEET, aboutCluster } from '../subject.ts';
import { before, changesTrust } from '../verdict.ts';

export const deliveryChanged = changeKind('delivery-changed')({
  identity: ({ tool, cluster, setting }) => [tool, cluster ?? '*', setting],
  subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
  code: 'plan/changes-trust',
  judge: ({ setting }) => {
    switch (setting) {
      case 'destination':
        return changesTrust('change', 'another-destination', before('check-the-destination'));
      case 'namespace':
      case 'project':
        return changesTrust('change', 'other-permissions', before('check-the-permissions'));
      default:
        return changesTrust('change', 'another-source', before('check-the-source'));
    }
  },
  flows: () => [],
  explains: ({ tool }) => [
    anywhere((file) =>
      tool === 'Argo CD' ? isPart(file, 'argocd') : isPart(file, 'flux', 'flux-source', 'flux-cluster'),
    ),
  ],
});

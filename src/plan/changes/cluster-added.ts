import { changeKind } from '../change-kind.ts';
import { ENTRY_POINTS, inFolder } from '../file-claim.ts';
import { aboutCluster } from '../subject.ts';
import { after, before, harmless } from '../verdict.ts';

export const clusterAdded = changeKind('cluster-added')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: (_, { after: { fleet } }) => {
    const { argo, flux } = fleet.tools;
    const steps = [
      before('install-liqo'),
      ...(argo ? [before('register-in-argo')] : []),
      ...(flux ? [before('register-in-flux')] : []),
      ...(argo || flux ? [] : [after('apply-the-bundle')]),
    ];
    return harmless('add', 'unused-so-far', ...steps);
  },
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
});

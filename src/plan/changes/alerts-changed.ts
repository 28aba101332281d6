import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { isPart } from '../plan-file.ts';
import { aboutCluster } from '../subject.ts';
import { after, harmless } from '../verdict.ts';

export const alertsChanged = changeKind('alerts-changed')({
  identity: ({ cluster, action }) => [cluster, action],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: ({ action }) =>
    action === 'add' ? harmless(action, 'only-alerts', after('apply-alerts')) : harmless(action, 'only-alerts'),
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'monitoring'))],
});

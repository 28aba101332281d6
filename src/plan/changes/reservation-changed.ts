import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { isExpected, isPart } from '../plan-file.ts';
import { aboutCluster } from '../subject.ts';
import { before, harmless } from '../verdict.ts';

export const reservationChanged = changeKind('reservation-changed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  judge: () => harmless('change', 'chart-needs-an-upgrade', before('upgrade-chart')),
  // Views that give way to a reservation are differences of their own.
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'helm-values') || isExpected(file, 'networks'))],
});

import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { hasOwnNetworks } from '../plan-file.ts';
import { aboutCluster } from '../subject.ts';
import { before, harmless } from '../verdict.ts';

export const reservationChanged = changeKind('reservation-changed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: () => harmless('change', 'chart-needs-an-upgrade', before('upgrade-chart')),
  // Views that move because of a reservation are separate differences.
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster, hasOwnNetworks)],
});

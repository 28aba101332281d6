import { changeKind } from '../change-kind.ts';
import { ADDRESSES, ENTRY_POINTS, inFolder } from '../file-claim.ts';
import { isPart } from '../plan-file.ts';
import { aboutCluster } from '../subject.ts';
import { follows } from '../verdict.ts';

export const orderChanged = changeKind('order-changed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: () => follows('change', 'only-the-first-apply'),
  flows: () => [],
  explains: ({ cluster }) => [
    ADDRESSES,
    ENTRY_POINTS,
    inFolder(cluster, (file) => !isPart(file, 'helm-values', 'gateway-rules', 'node-rules')),
  ],
});

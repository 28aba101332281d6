import { changeKind } from '../change-kind.ts';
import { ADDRESSES } from '../file-claim.ts';
import { aboutSide } from '../subject.ts';
import { follows } from '../verdict.ts';

export const historyChanged = changeKind('history-changed')({
  identity: ({ cluster, peer, cidr, index }) => [cluster, peer, cidr, String(index)],
  subject: aboutSide,
  code: null,
  judge: ({ to }) => (to ? follows('change', 'kept-by-the-lock') : follows('change', 'same-after-a-rebuild')),
  // `Plan.history` lists what the lock keeps.
  isListedElsewhere: ({ to }) => to,
  flows: () => [],
  explains: () => [ADDRESSES],
});

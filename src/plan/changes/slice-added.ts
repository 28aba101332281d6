import { aboutShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { harmless } from '../verdict.ts';

export const sliceAdded = changeKind('slice-added')({
  identity: ({ consumer, slice }) => [consumer, slice],
  subject: aboutShare,
  code: null,
  judge: () => harmless('add', 'one-more-virtual-node'),
  flows: () => [],
  explains: shareFiles,
});

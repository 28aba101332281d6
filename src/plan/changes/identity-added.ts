import { aboutShare, idOfShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { before, harmless } from '../verdict.ts';

export const identityAdded = changeKind('identity-added')({
  identity: idOfShare,
  subject: aboutShare,
  code: null,
  judge: () => harmless('add', 'handshake-is-complete', before('check-the-endpoint')),
  flows: () => [],
  explains: shareFiles,
});

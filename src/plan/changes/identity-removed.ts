import { aboutShare, idOfShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { before, breaks } from '../verdict.ts';

export const identityRemoved = changeKind('identity-removed')({
  identity: idOfShare,
  subject: aboutShare,
  code: 'plan/authentication-changes',
  judge: () => breaks('remove', 'consumer-cannot-reach-it', before('restore-the-identity')),
  flows: () => [],
  explains: shareFiles,
});

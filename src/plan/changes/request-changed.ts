import { aboutShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { breaks, harmless, together } from '../verdict.ts';

export const requestChanged = changeKind('request-changed')({
  identity: ({ consumer, slice }) => [consumer, slice],
  subject: aboutShare,
  code: 'plan/authentication-changes',
  // Of the same key Liqo makes the same bytes, so it does not matter who makes them.
  judge: ({ from, to }) =>
    from === null || to === null
      ? harmless('change', 'liqo-makes-the-same')
      : breaks('change', 'provider-keeps-the-old-one', together('delete-stored-certificate')),
  flows: () => [],
  explains: shareFiles,
});

import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { aboutCluster } from '../subject.ts';
import { before, breaks } from '../verdict.ts';

export const authenticationRemoved = changeKind('authentication-removed')({
  identity: ({ consumer }) => [consumer],
  subject: ({ consumer, providers }) => aboutCluster(consumer, providers),
  code: 'plan/authentication-changes',
  judge: () => breaks('remove', 'tenants-leave-git', before('restore-the-key')),
  flows: () => [],
  explains: ({ consumer, providers }) => providers.flatMap((provider) => shareFiles({ consumer, provider })),
});

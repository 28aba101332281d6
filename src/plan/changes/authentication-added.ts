import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { aboutCluster } from '../subject.ts';
import { after, before, harmless } from '../verdict.ts';

export const authenticationAdded = changeKind('authentication-added')({
  identity: ({ consumer }) => [consumer],
  subject: ({ consumer, providers }) => aboutCluster(consumer, providers),
  code: null,
  // Liqo keeps a key that is there when it starts, and makes one of its own where there is none.
  judge: () => harmless('add', 'providers-know-the-consumer', before('provide-the-key'), after('collect-identities')),
  flows: () => [],
  explains: ({ consumer, providers }) => providers.flatMap((provider) => shareFiles({ consumer, provider })),
});

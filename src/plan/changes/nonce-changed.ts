import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { aboutCluster } from '../subject.ts';
import { harmless, together } from '../verdict.ts';

export const nonceChanged = changeKind('nonce-changed')({
  identity: ({ consumer }) => [consumer],
  subject: ({ consumer, providers }) => aboutCluster(consumer, providers),
  code: null,
  // A wrong signature is looked at again only when the Tenant changes, so the nonce has to be there before.
  judge: () => harmless('change', 'same-key-signs-it', together('nonce-before-tenant')),
  flows: () => [],
  explains: ({ consumer, providers }) => providers.flatMap((provider) => shareFiles({ consumer, provider })),
});

import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { aboutCluster } from '../subject.ts';
import { after, before, breaks, changesTrust, together } from '../verdict.ts';

/**
 * A provider compares every request with the one that it has signed, and refuses another one until the Secret with that is
 * deleted. Source: liqotech/liqo@v1.2.0 pkg/identityManager/certificateIdentityProvider.go (NotMatchingCSRError).
 */
export const authenticationChanged = changeKind('authentication-changed')({
  identity: ({ consumer }) => [consumer],
  subject: ({ consumer, providers }) => aboutCluster(consumer, providers),
  code: 'plan/authentication-changes',
  judge: ({ from, to, madeByLiqo, dropped }) => {
    const rest = [
      ...(dropped.length === 0 ? [] : [before('keep-the-identities')]),
      ...(madeByLiqo.length === 0 ? [] : [together('remove-old-requests')]),
      together('delete-stored-certificates'),
      after('collect-identities'),
    ];
    return from === to
      ? breaks('change', 'another-request-of-the-key', ...rest)
      : changesTrust('change', 'another-key', together('replace-the-key'), ...rest);
  },
  flows: () => [],
  explains: ({ consumer, providers }) => providers.flatMap((provider) => shareFiles({ consumer, provider })),
});

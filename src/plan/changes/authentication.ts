import {
  aboutCluster,
  aboutShare,
  after,
  before,
  breaks,
  changeKind,
  changesTrust,
  harmless,
  idOfShare,
  together,
} from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { shareFiles } from '../file-claim.ts';

export const authenticationAdded = changeKind('authentication-added')({
  identity: ({ consumer }) => [consumer],
  subject: ({ consumer, providers }) => aboutCluster(consumer, providers),
  code: null,
  // Liqo keeps a key that exists when it starts; otherwise it creates one.
  judge: () => harmless('add', 'providers-know-the-consumer', before('provide-the-key'), after('collect-identities')),
  flows: () => [],
  explains: ({ consumer, providers }) => providers.flatMap((provider) => shareFiles({ consumer, provider })),
});

/**
 * A provider compares every request with the one that it has signed, and refuses a different one until the Secret that
 * contains it is deleted. Source: liqotech/liqo@v1.2.0 pkg/identityManager/certificateIdentityProvider.go
 * (NotMatchingCSRError).
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

export const authenticationRemoved = changeKind('authentication-removed')({
  identity: ({ consumer }) => [consumer],
  subject: ({ consumer, providers }) => aboutCluster(consumer, providers),
  code: 'plan/authentication-changes',
  judge: () => breaks('remove', 'tenants-leave-git', before('restore-the-key')),
  flows: () => [],
  explains: ({ consumer, providers }) => providers.flatMap((provider) => shareFiles({ consumer, provider })),
});

export const nonceChanged = changeKind('nonce-changed')({
  identity: ({ consumer }) => [consumer],
  subject: ({ consumer, providers }) => aboutCluster(consumer, providers),
  code: null,
  // A wrong signature is checked again only when the Tenant changes, so the nonce must be applied first.
  judge: () => harmless('change', 'same-key-signs-it', together('nonce-before-tenant')),
  flows: () => [],
  explains: ({ consumer, providers }) => providers.flatMap((provider) => shareFiles({ consumer, provider })),
});

export const identityAdded = changeKind('identity-added')({
  identity: idOfShare,
  subject: aboutShare,
  code: null,
  judge: () => harmless('add', 'handshake-is-complete', before('check-the-endpoint')),
  flows: () => [],
  explains: shareFiles,
});

/**
 * An Identity's API server receives the Secrets, ConfigMaps and tokens of offloaded namespaces, and the specifications
 * of their pods. Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection (configuration, namespacemap).
 */
export const identityChanged = changeKind('identity-changed')({
  identity: idOfShare,
  subject: aboutShare,
  code: 'plan/authentication-changes',
  judge: (it, { hasTrait }) => {
    // Liqo then updates the live object itself, and tools ignore it.
    const renewed = [it.consumer, it.provider].every((cluster) => hasTrait(cluster, 'renewsCertificates'));
    const steps = renewed ? [after('apply-by-hand')] : [];
    return isSameServer(it)
      ? harmless('change', 'another-certificate', ...steps)
      : changesTrust('change', 'another-server', before('check-the-endpoint'), ...steps);
  },
  flows: () => [],
  explains: shareFiles,
});

const isSameServer = ({ from, to }: Difference<'identity-changed'>): boolean =>
  from.apiServer === to.apiServer && from.ca === to.ca && from.proxyURL === to.proxyURL;

export const identityRemoved = changeKind('identity-removed')({
  identity: idOfShare,
  subject: aboutShare,
  code: 'plan/authentication-changes',
  judge: () => breaks('remove', 'consumer-cannot-reach-it', before('restore-the-identity')),
  flows: () => [],
  explains: shareFiles,
});

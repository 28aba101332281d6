import {
  aboutCluster,
  after,
  before,
  breaks,
  changeKind,
  changesTrust,
  harmless,
  OF_SHARE,
  together,
} from '../change-kind.ts';
import type { Difference, SliceName } from '../difference.ts';
import { shareFiles } from '../plan-file.ts';
import {
  CHECK_THE_ENDPOINT,
  COLLECT_IDENTITIES,
  checkAnswer,
  keyStart,
  loan,
  names,
  placeIn,
  places,
  server,
} from './plain-words.ts';

export const authenticationAdded = changeKind('authentication-added')
  .decided({
    identity: ({ consumer }) => [consumer],
    subject: ({ consumer, providers }) => aboutCluster(consumer, providers),
    code: null,
    // Liqo keeps a key that exists when it starts; otherwise it creates one.
    judge: () => harmless('add', 'providers-know-the-consumer', before('provide-the-key'), after('collect-identities')),
    flows: () => [],
    explains: ({ consumer, providers }) => providers.flatMap((provider) => shareFiles({ consumer, provider })),
  })
  .worded({
    section: 'Keys',
    title: ({ consumer, providers, to }) =>
      `${consumer} has an authentication key, which ${names(providers)} will accept: ${keyStart(to)}`,
    why: { 'providers-know-the-consumer': 'the providers sign the request of the consumer once this is applied' },
    steps: {
      'provide-the-key': {
        what: 'provide the Secret authentication-keys before Liqo is installed; where Liqo runs already, it has a key of its own, and this one has to replace it',
        on: ({ consumer }) => consumer,
      },
      'collect-identities': {
        what: COLLECT_IDENTITIES,
        on: ({ consumer, providers }) => places(providers.map((provider) => loan({ consumer, provider }))),
        commands: ({ providers: clusters }) => [{ run: 'collect', clusters }],
      },
    },
  });

/**
 * A provider compares every request with the one that it has signed, and refuses a different one until the Secret that
 * contains it is deleted. Source: liqotech/liqo@v1.2.0 pkg/identityManager/certificateIdentityProvider.go
 * (NotMatchingCSRError).
 */
export const authenticationChanged = changeKind('authentication-changed')
  .decided({
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
  })
  .worded({
    section: 'Keys',
    title: ({ consumer, providers, from, to }) =>
      from === to
        ? `${consumer} makes another request with its authentication key to ${names(providers)}`
        : `${consumer} has another authentication key, which ${names(providers)} will accept: ${keyStart(to)} instead of ${keyStart(from)}`,
    why: {
      'another-key':
        'whoever has the new key can act as the consumer; a certificate of the old key is accepted until it ends; until the last step the virtual nodes get no updates, and pods that run go on',
      'another-request-of-the-key': 'a provider refuses another request than the one that it has signed',
    },
    steps: {
      'keep-the-identities': {
        what: 'see that no tool prunes these Identities until the new ones are merged: the Secret of a pruned one is blocked until the last slice is gone',
        on: ({ consumer, dropped }) => places(dropped.map((provider) => `controlplane-${provider} in ${consumer}`)),
      },
      'replace-the-key': {
        what: 'replace the Secret authentication-keys, at the same time as this is applied: Liqo reads it at every use',
        on: ({ consumer }) => consumer,
      },
      'remove-old-requests': {
        what: 'remove `spec.csr` of these live ResourceSlices: Liqo makes it again with the new key',
        on: ({ madeByLiqo }) => places(madeByLiqo.map(sliceIn)),
      },
      'delete-stored-certificates': {
        what: 'once the new Tenant is there, delete these Secrets in the provider: until then it refuses the new request',
        on: (it) =>
          places(it.providers.map((one) => `${storedIn(one, it.slices)} of ${placeIn(it, one, it.consumer)}`)),
      },
      'collect-identities': {
        what: COLLECT_IDENTITIES,
        on: ({ consumer, providers }) => places(providers.map((provider) => loan({ consumer, provider }))),
        commands: ({ providers: clusters }) => [{ run: 'collect', clusters }],
      },
    },
  });

export const authenticationRemoved = changeKind('authentication-removed')
  .decided({
    identity: ({ consumer }) => [consumer],
    subject: ({ consumer, providers }) => aboutCluster(consumer, providers),
    code: 'plan/authentication-changes',
    judge: () => breaks('remove', 'tenants-leave-git', before('restore-the-key')),
    flows: () => [],
    explains: ({ consumer, providers }) => providers.flatMap((provider) => shareFiles({ consumer, provider })),
  })
  .worded({
    section: 'Keys',
    title: ({ consumer, providers }) => `${consumer}: its authentication key is no longer known to ${names(providers)}`,
    why: {
      'tenants-leave-git':
        'the Tenants are no longer in git: no tool prunes them, and nothing brings them back where they are lost',
    },
    steps: {
      'restore-the-key': { what: 'restore the key in the keys file', on: ({ consumer }) => consumer },
    },
  });

export const nonceChanged = changeKind('nonce-changed')
  .decided({
    identity: ({ consumer }) => [consumer],
    subject: ({ consumer, providers }) => aboutCluster(consumer, providers),
    code: null,
    // A wrong signature is checked again only when the Tenant changes, so the nonce must be applied first.
    judge: () => harmless('change', 'same-key-signs-it', together('nonce-before-tenant')),
    flows: () => [],
    explains: ({ consumer, providers }) => providers.flatMap((provider) => shareFiles({ consumer, provider })),
  })
  .worded({
    section: 'Keys',
    title: ({ consumer, providers }) => `${consumer} signs another nonce for ${names(providers)}`,
    why: { 'same-key-signs-it': 'the key is the same, and so is its certificate' },
    steps: {
      'nonce-before-tenant': {
        what: 'apply the nonce before the Tenant, as the sync waves do: a signature of another nonce is refused, and looked at again only hours later',
        on: ({ providers }) => names(providers),
      },
    },
  });

export const identityAdded = changeKind('identity-added')
  .decided({
    ...OF_SHARE,
    code: null,
    judge: () => harmless('add', 'handshake-is-complete', before('check-the-endpoint')),
    flows: () => [],
    explains: shareFiles,
  })
  .worded({
    section: 'Sharing',
    title: ({ consumer, provider, to }) =>
      `${consumer} has the answer of ${provider}, whose API server is ${server(to)}`,
    why: { 'handshake-is-complete': 'the consumer asks for its slices, and gets a virtual node for each' },
    steps: {
      'check-the-endpoint': {
        what: CHECK_THE_ENDPOINT,
        on: ({ provider, to }) => `${server(to)} of ${provider}`,
        commands: checkAnswer,
      },
    },
  });

/**
 * An Identity's API server receives the Secrets, ConfigMaps and tokens of offloaded namespaces, and the specifications
 * of their pods. Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection (configuration, namespacemap).
 */
export const identityChanged = changeKind('identity-changed')
  .decided({
    ...OF_SHARE,
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
  })
  .worded({
    section: 'Sharing',
    title: (it) => `${it.consumer} ${identityChange(it)}`,
    why: {
      'another-certificate': 'the same API server accepts both certificates until the old one ends',
      'another-server':
        'the Secrets, ConfigMaps and tokens of offloaded namespaces go to that server, and the consumer believes what it answers: whoever runs it reads them all',
    },
    steps: {
      'check-the-endpoint': {
        what: CHECK_THE_ENDPOINT,
        on: ({ provider, to }) => `${server(to)} of ${provider}`,
        commands: checkAnswer,
      },
      'apply-by-hand': {
        what: 'apply the Identity by hand: from Liqo 1.2 on, tools leave `spec.authParams` of one that exists to Liqo',
        on: (it) => placeIn(it, it.consumer, it.provider),
      },
    },
  });

const isSameServer = ({ from, to }: Difference<'identity-changed'>): boolean =>
  from.apiServer === to.apiServer && from.ca === to.ca && from.proxyURL === to.proxyURL;

export const identityRemoved = changeKind('identity-removed')
  .decided({
    ...OF_SHARE,
    code: 'plan/authentication-changes',
    judge: () => breaks('remove', 'consumer-cannot-reach-it', before('restore-the-identity')),
    flows: () => [],
    explains: shareFiles,
  })
  .worded({
    section: 'Sharing',
    title: ({ consumer, provider }) => `${consumer}: the answer of ${provider} is no longer known`,
    why: {
      'consumer-cannot-reach-it':
        'the Identity is removed, and the virtual nodes of the provider stop; pods that run go on',
    },
    steps: {
      'restore-the-identity': {
        what: 'restore it in the identities file, or collect it again with `weft identities collect`',
        on: loan,
        commands: ({ provider }) => [{ run: 'collect', clusters: [provider] }],
      },
    },
  });

const sliceIn = ({ consumer, slice }: SliceName): string => `${slice} in ${consumer}`;

const STORED = 'liqo-remote-certificate';

const storedIn = (provider: string, slices: readonly SliceName[]): string =>
  [STORED, ...slices.filter((it) => it.provider === provider).map((it) => `${STORED}-${it.slice}`)].join(', ');

function identityChange({ provider, from, to }: Difference<'identity-changed'>): string {
  const [was, is] = [server(from), server(to)];
  const ca = from.ca === to.ca ? '' : ', and trusts another CA there';
  if (was !== is) return `reaches the API server of ${provider} at ${is} instead of ${was}${ca}`;
  return from.ca === to.ca
    ? `has another certificate of ${provider}`
    : `trusts another CA for the API server of ${provider} at ${is}`;
}

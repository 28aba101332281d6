import type { Difference, SliceName } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { CHECK_THE_ENDPOINT, COLLECT_IDENTITIES, loan, names, places, server } from './plain-sharing.ts';
import { placeIn } from './plain-words.ts';

export const authenticationAddedWords: ChangeWords<'authentication-added'> = {
  section: 'Keys',
  title: ({ consumer, providers }) => `${consumer} has an authentication key, which ${names(providers)} will accept`,
  why: { 'providers-know-the-consumer': 'the providers sign the request of the consumer once this is applied' },
  steps: {
    'provide-the-key': {
      what: 'provide the Secret authentication-keys before Liqo is installed; where Liqo runs already, it has a key of its own, and this one has to replace it',
      on: ({ consumer }) => consumer,
    },
    'collect-identities': {
      what: COLLECT_IDENTITIES,
      on: ({ consumer, providers }) => places(providers.map((provider) => loan({ consumer, provider }))),
    },
  },
};

export const authenticationChangedWords: ChangeWords<'authentication-changed'> = {
  section: 'Keys',
  title: ({ consumer, providers, from, to }) =>
    from === to
      ? `${consumer} makes another request with its authentication key to ${names(providers)}`
      : `${consumer} has another authentication key, which ${names(providers)} will accept`,
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
      on: (it) => places(it.providers.map((one) => `${storedIn(one, it.slices)} of ${placeIn(it, one, it.consumer)}`)),
    },
    'collect-identities': {
      what: COLLECT_IDENTITIES,
      on: ({ consumer, providers }) => places(providers.map((provider) => loan({ consumer, provider }))),
    },
  },
};

const sliceIn = ({ consumer, slice }: SliceName): string => `${slice} in ${consumer}`;

const STORED = 'liqo-remote-certificate';

const storedIn = (provider: string, slices: readonly SliceName[]): string =>
  [STORED, ...slices.filter((it) => it.provider === provider).map((it) => `${STORED}-${it.slice}`)].join(', ');

export const authenticationRemovedWords: ChangeWords<'authentication-removed'> = {
  section: 'Keys',
  title: ({ consumer, providers }) => `${consumer}: its authentication key is no longer known to ${names(providers)}`,
  why: {
    'tenants-leave-git':
      'the Tenants are no longer in git: no tool prunes them, and nothing brings them back where they are lost',
  },
  steps: {
    'restore-the-key': { what: 'restore the key in the keys file', on: ({ consumer }) => consumer },
  },
};

export const nonceChangedWords: ChangeWords<'nonce-changed'> = {
  section: 'Keys',
  title: ({ consumer, providers }) => `${consumer} signs another nonce for ${names(providers)}`,
  why: { 'same-key-signs-it': 'the key is the same, and so is its certificate' },
  steps: {
    'nonce-before-tenant': {
      what: 'apply the nonce before the Tenant, as the sync waves do: a signature of another nonce is refused, and looked at again only hours later',
      on: ({ providers }) => names(providers),
    },
  },
};

export const identityAddedWords: ChangeWords<'identity-added'> = {
  section: 'Sharing',
  title: ({ consumer, provider, to }) => `${consumer} has the answer of ${provider}, whose API server is ${server(to)}`,
  why: { 'handshake-is-complete': 'the consumer asks for its slices, and gets a virtual node for each' },
  steps: {
    'check-the-endpoint': { what: CHECK_THE_ENDPOINT, on: ({ provider, to }) => `${server(to)} of ${provider}` },
  },
};

export const identityChangedWords: ChangeWords<'identity-changed'> = {
  section: 'Sharing',
  title: (it) => `${it.consumer} ${identityChange(it)}`,
  why: {
    'another-certificate': 'the same API server accepts both certificates until the old one ends',
    'another-server':
      'the Secrets, ConfigMaps and tokens of offloaded namespaces go to that server, and the consumer believes what it answers: whoever runs it reads them all',
  },
  steps: {
    'check-the-endpoint': { what: CHECK_THE_ENDPOINT, on: ({ provider, to }) => `${server(to)} of ${provider}` },
    'apply-by-hand': {
      what: 'apply the Identity by hand: from Liqo 1.2 on, tools leave `spec.authParams` of one that exists to Liqo',
      on: (it) => placeIn(it, it.consumer, it.provider),
    },
  },
};

function identityChange({ provider, from, to }: Difference<'identity-changed'>): string {
  const [was, is] = [server(from), server(to)];
  const ca = from.ca === to.ca ? '' : ', and trusts another CA there';
  if (was !== is) return `reaches the API server of ${provider} at ${is} instead of ${was}${ca}`;
  return from.ca === to.ca
    ? `has another certificate of ${provider}`
    : `trusts another CA for the API server of ${provider} at ${is}`;
}

export const identityRemovedWords: ChangeWords<'identity-removed'> = {
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
    },
  },
};

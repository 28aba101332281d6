import type { SliceName } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { placeIn } from './plain-places.ts';
import { COLLECT_IDENTITIES, loan, names, places } from './plain-sharing.ts';

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

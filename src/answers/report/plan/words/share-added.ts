import { listOf } from '../../../../base/core/words.ts';
import type { ChangeWords } from '../change-words.ts';
import { placeIn } from './plain-places.ts';
import { CHECK_THE_ENDPOINT, COLLECT_IDENTITIES, GENERATE_KEYS, loan, server } from './plain-sharing.ts';

export const shareAddedWords: ChangeWords<'share-added'> = {
  section: 'Sharing',
  title: ({ slices, endpoint, ...it }) =>
    `${it.consumer} borrows from ${it.provider}${endpoint === null ? '' : ` at ${server(endpoint)}`}: ${listOf(slices)}`,
  why: {
    'comes-with-credentials': 'the virtual node appears when the consumer has a kubeconfig of the provider',
    'consumer-has-no-key': 'the consumer has no authentication key, so the provider does not know it yet',
    'key-is-not-known':
      'the consumer has an authentication key that git does not know, so no Tenant is written and what is there stays',
    'provider-has-not-answered':
      'the provider signs the request of the consumer once this is applied; its answer is the second half',
    'both-halves-are-known': 'the consumer gets a virtual node for each slice',
  },
  steps: {
    'generate-keys': { what: GENERATE_KEYS, on: ({ consumer }) => consumer },
    'collect-identity': { what: COLLECT_IDENTITIES, on: loan },
    'check-the-endpoint': {
      what: CHECK_THE_ENDPOINT,
      on: ({ provider, endpoint }) => (endpoint === null ? provider : `${server(endpoint)} of ${provider}`),
    },
    'provide-kubeconfig': {
      what: 'provide the Secret with the kubeconfig of the provider',
      on: (it) => placeIn(it, it.consumer, it.provider),
    },
  },
};

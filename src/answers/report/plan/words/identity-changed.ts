import type { Difference } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { placeIn } from './plain-places.ts';
import { CHECK_THE_ENDPOINT, server } from './plain-sharing.ts';

export const identityChangedWords: ChangeWords<'identity-changed'> = {
  section: 'Sharing',
  title: (it) => `${it.consumer} ${whatChanges(it)}`,
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

function whatChanges({ provider, from, to }: Difference<'identity-changed'>): string {
  const [was, is] = [server(from), server(to)];
  const ca = from.ca === to.ca ? '' : ', and trusts another CA there';
  if (was !== is) return `reaches the API server of ${provider} at ${is} instead of ${was}${ca}`;
  return from.ca === to.ca
    ? `has another certificate of ${provider}`
    : `trusts another CA for the API server of ${provider} at ${is}`;
}

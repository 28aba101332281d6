import type { ChangeWords } from '../change-words.ts';
import { loan } from './plain-sharing.ts';

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

import type { ChangeWords } from '../change-words.ts';
import { names } from './plain-sharing.ts';

export const authenticationRemovedWords: ChangeWords<'authentication-removed'> = {
  section: 'Keys',
  title: ({ consumer, providers }) => `${consumer}: its authentication key is no longer known to ${names(providers)}`,
  why: {
    'tenants-are-removed':
      'the Tenants are removed, and with them the rights of the consumer: what it has in the providers can neither change nor be deleted',
  },
  steps: {
    'restore-the-key': { what: 'restore the key in the keys file', on: ({ consumer }) => consumer },
  },
};

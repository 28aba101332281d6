import type { ChangeWords } from '../change-words.ts';
import { names } from './plain-sharing.ts';

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

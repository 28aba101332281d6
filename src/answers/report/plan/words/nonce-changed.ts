import type { ChangeWords } from '../change-words.ts';
import { names } from './plain-sharing.ts';

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

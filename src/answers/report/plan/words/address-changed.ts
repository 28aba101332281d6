import type { ChangeWords } from '../change-words.ts';
import { both } from './plain-words.ts';

export const addressChangedWords: ChangeWords<'address-changed'> = {
  section: 'Gateways',
  title: (it) => `${both(it)}: ${it.client} dials ${it.to} instead of ${it.from}`,
  why: { 'client-dials-another-address': "the client's gateway restarts and dials another address" },
  steps: {
    'check-new-address': {
      what: 'make sure that the new address answers',
      on: ({ client, to }) => `${to} for ${client}`,
    },
  },
};

import type { ChangeWords } from '../change-words.ts';
import { towards } from './plain-words.ts';

export const keyChangedWords: ChangeWords<'key-changed'> = {
  section: 'Keys',
  title: (it) => `${towards(it)}: another public key`,
  why: {
    'ends-have-different-keys':
      'the tunnel is down from the moment one end has the new key until the other has it, too',
  },
  steps: { 'replace-secret': { what: 'replace the Secret and restart the gateway', on: towards } },
};

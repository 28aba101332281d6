import type { ChangeWords } from '../change-words.ts';
import { towards } from './plain-words.ts';

export const keyAddedWords: ChangeWords<'key-added'> = {
  section: 'Keys',
  title: (it) => `${towards(it)}: its public key is known now`,
  why: { 'tunnel-had-no-key': 'the tunnel had no key and could not come up' },
  steps: {},
};

import type { ChangeWords } from '../change-words.ts';
import { placeIn } from './plain-places.ts';
import { towards } from './plain-words.ts';

export const keyAddedWords: ChangeWords<'key-added'> = {
  section: 'Keys',
  title: (it) => `${towards(it)}: its public key is known now`,
  why: {
    'tunnel-had-no-key': 'without it the tunnel could not come up',
    'other-end-has-no-key': 'the gateway at the other end has no public key yet, so the tunnel stays down',
  },
  steps: {
    'provide-the-secret': {
      what: 'provide the Secrets with the private keys',
      on: (it) => placeIn(it, it.cluster, it.peer),
    },
  },
};

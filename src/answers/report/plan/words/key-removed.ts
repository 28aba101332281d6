import type { ChangeWords } from '../change-words.ts';
import { towards } from './plain-words.ts';

export const keyRemovedWords: ChangeWords<'key-removed'> = {
  section: 'Keys',
  title: (it) => `${towards(it)}: its public key is no longer known`,
  why: { 'peer-loses-the-key': 'the peer no longer has the key, and the tunnel cannot come up again' },
  steps: {
    'restore-key': {
      what: 'restore the key in the keys file, unless the tunnel is to stay down',
      on: towards,
    },
  },
};

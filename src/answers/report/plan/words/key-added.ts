import type { ChangeWords } from '../change-words.ts';
import { placeIn } from './plain-places.ts';
import { towards } from './plain-words.ts';

export const keyAddedWords: ChangeWords<'key-added'> = {
  section: 'Keys',
  title: (it) => `${towards(it)}: its public key is known now`,
  why: {
    'tunnel-had-no-key': 'without it the tunnel could not come up',
    'key-was-unknown':
      'the gateway has had a key that git did not know: if it is this one, nothing changes; with another one the tunnel is down until both ends have it',
    'other-end-has-no-key': 'the gateway at the other end has no public key yet, so the tunnel stays down',
  },
  steps: {
    'compare-with-live': {
      what: 'compare it with the PublicKey in the cluster at the other end: "weft plan --live DUMPS" with a dump of that cluster',
      on: towards,
    },
    'provide-the-secret': {
      what: 'provide the Secrets with the private keys',
      on: (it) => placeIn(it, it.cluster, it.peer),
    },
  },
};

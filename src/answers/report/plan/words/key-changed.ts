import type { ChangeWords } from '../change-words.ts';
import { APPLY_SERVER_FIRST } from './plain-steps.ts';
import { towards } from './plain-words.ts';

export const keyChangedWords: ChangeWords<'key-changed'> = {
  section: 'Keys',
  title: (it) => `${towards(it)}: another public key`,
  why: {
    'ends-have-different-keys':
      'the tunnel is down from the moment one end has the new key until the other has it, too',
  },
  steps: {
    'replace-secret': {
      what: 'replace the Secret and delete the gateway pod, which reads its key when it starts (Liqo undoes a rollout restart)',
      on: towards,
    },
    'apply-server-first': {
      ...APPLY_SERVER_FIRST,
      on: ({ cluster, peer, server }) => APPLY_SERVER_FIRST.on({ ends: [cluster, peer], server }),
    },
  },
};

import type { ChangeWords } from '../change-words.ts';
import { APPLY_SERVER_FIRST } from './plain-steps.ts';
import { both } from './plain-words.ts';

export const mtuChangedWords: ChangeWords<'mtu-changed'> = {
  section: 'Gateways',
  title: (it) => `${both(it)}: MTU ${it.to} instead of ${it.from}`,
  why: {
    'both-gateways-restart': 'the gateway pods of both ends restart, and while the ends differ large packets are lost',
  },
  steps: { 'apply-server-first': APPLY_SERVER_FIRST },
};

import type { ChangeWords } from '../change-words.ts';
import { towards } from './plain-words.ts';

export const templateChangedWords: ChangeWords<'template-changed'> = {
  section: 'Gateways',
  title: (it) => `${towards(it)}: made from template ${it.to} instead of ${it.from}`,
  why: { 'made-from-another-template': 'the gateway is made from another template: its pods restart' },
  steps: {
    'expect-a-late-restart': {
      what: 'expect a delay: Liqo reads templates only when it reconciles the gateway',
      on: towards,
    },
  },
};

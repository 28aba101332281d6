import type { ChangeWords } from '../change-words.ts';
import { towards } from './plain-words.ts';

export const templateChangedWords: ChangeWords<'template-changed'> = {
  section: 'Gateways',
  title: (it) => `${towards(it)}: made from template ${it.to} instead of ${it.from}`,
  why: {
    'made-from-another-template': 'the gateway is made from another template: its pods restart',
    'nobody-knows-its-images':
      'the gateway is made from a template that is not in the bundle: its pods restart with whatever images and permissions that has, or had',
  },
  steps: {
    'check-the-template': { what: 'look at the images of both templates', on: towards },
    'expect-a-late-restart': {
      what: 'expect a delay: Liqo reads templates only when it reconciles the gateway',
      on: towards,
    },
  },
};

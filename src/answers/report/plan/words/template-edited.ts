import { shortened, someOf } from '../../../../base/core/words.ts';
import type { Action, ValueChange } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { insteadOf, LONGEST_VALUE } from './plain-words.ts';

/** Values named in one line; those of where the pods run come first. */
const NAMED_VALUES = 6;

export const templateEditedWords: ChangeWords<'template-edited'> = {
  section: 'Gateways',
  title: ({ cluster, action, values }) => {
    const all = values.map((it) => valueWords(it, action));
    const what = all.length === 0 ? '' : `: ${someOf(all, NAMED_VALUES, '; ')}`;
    switch (action) {
      case 'add':
        return `${cluster} gets its own gateway template${what}`;
      case 'change':
        return `the gateway template of ${cluster} changes${what}`;
      case 'remove':
        return `${cluster} no longer has its own gateway template${what}`;
    }
  },
  why: {
    'there-before-its-gateways': 'it exists before the gateways that use it',
    'unused-from-now-on': 'no gateway uses it any more',
    'its-gateways-restart': 'all gateways made from it restart when Liqo next reconciles them',
  },
  steps: {},
};

const valueWords = ({ what, from, to }: ValueChange, action: Action): string =>
  `${what} ${action === 'change' ? insteadOf({ from, to }, 'none') : shortened(from ?? to ?? '', LONGEST_VALUE)}`;

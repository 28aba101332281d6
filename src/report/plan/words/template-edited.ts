import type { ChangeWords } from '../change-words.ts';

export const templateEditedWords: ChangeWords<'template-edited'> = {
  section: 'Gateways',
  title: ({ cluster, action }) => {
    switch (action) {
      case 'add':
        return `${cluster} gets its own gateway template`;
      case 'change':
        return `the gateway template of ${cluster} changes`;
      case 'remove':
        return `${cluster} no longer has its own gateway template`;
    }
  },
  why: {
    'there-before-its-gateways': 'it exists before the gateways that use it',
    'unused-from-now-on': 'no gateway uses it any more',
    'its-gateways-restart': 'all gateways made from it restart when Liqo next reconciles them',
  },
  steps: {},
};

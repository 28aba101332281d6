import type { ChangeWords } from '../change-words.ts';

export const templateEditedWords: ChangeWords<'template-edited'> = {
  section: 'Gateways',
  code: 'plan/gateway-changes',
  title: ({ cluster, action }) => {
    switch (action) {
      case 'add':
        return `${cluster} gets a gateway template of its own`;
      case 'change':
        return `the gateway template of ${cluster} changes`;
      case 'remove':
        return `${cluster} gives up its own gateway template`;
    }
  },
  why: {
    'there-before-its-gateways': 'it is there before the gateways that name it',
    'unused-from-now-on': 'no gateway names it any more',
    'its-gateways-restart': 'all gateways made from it restart when Liqo next reconciles them',
  },
  steps: {},
};

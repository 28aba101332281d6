import type { ChangeWords } from '../change-words.ts';

export const gitopsChangedWords: ChangeWords<'gitops-changed'> = {
  section: 'Settings',
  title: ({ tool, action }) => {
    switch (action) {
      case 'add':
        return `new entry points for ${tool}`;
      case 'change':
        return `the entry points for ${tool} change`;
      case 'remove':
        return `the entry points for ${tool} are removed`;
    }
  },
  why: {
    'nothing-applies-the-bundles':
      'without its entry point nothing applies the bundles, and a tool that prunes deletes them',
    'only-what-is-applied': 'entry points select what is applied, not its content',
  },
  steps: {
    'check-what-applies-the-bundles': {
      what: 'make sure that something else applies the bundles, or that nothing is pruned',
      on: ({ tool }) => tool,
    },
  },
};

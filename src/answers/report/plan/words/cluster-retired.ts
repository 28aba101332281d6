import type { ChangeWords } from '../change-words.ts';

export const clusterRetiredWords: ChangeWords<'cluster-retired'> = {
  section: 'Clusters',
  title: ({ cluster }) => `${cluster} retires: its bundle becomes empty, its folder stays`,
  why: { 'bundle-becomes-empty': 'its bundle becomes empty and its peers remove their links to it' },
  steps: {
    'remove-entry-once-pruned': {
      what: 'remove the entry from the topology once its GitOps tool has pruned everything',
      on: ({ cluster }) => cluster,
    },
  },
};

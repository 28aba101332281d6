import type { ChangeWords } from '../change-words.ts';

export const clusterRetiredWords: ChangeWords<'cluster-retired'> = {
  section: 'Clusters',
  code: 'plan/cluster-leaves',
  title: ({ cluster }) => `${cluster} retires: its bundle becomes empty, its folder stays`,
  why: { 'bundle-becomes-empty': 'its bundle becomes empty and its peers drop it' },
  steps: {
    'remove-entry-once-pruned': {
      what: 'take the entry out of the topology once its tool has pruned everything',
      on: ({ cluster }) => cluster,
    },
  },
};

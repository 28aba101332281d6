import type { ChangeWords } from '../change-words.ts';

export const clusterRemovedWords: ChangeWords<'cluster-removed'> = {
  section: 'Clusters',
  code: 'plan/cluster-leaves',
  title: ({ cluster, wasRetired }) =>
    wasRetired ? `${cluster} was retired and leaves the fleet` : `${cluster} leaves the fleet`,
  why: {
    'retired-before': 'it was retired and has no links any more',
    'folder-is-removed': 'its folder goes, so what it holds is deleted where its GitOps tool still looks',
  },
  steps: {
    'retire-cluster-first': {
      what: 'retire it first (`retired: true`): its own tool then removes what it holds',
      on: ({ cluster }) => cluster,
    },
  },
};

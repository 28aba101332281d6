import type { ChangeWords } from '../change-words.ts';

export const clusterRemovedWords: ChangeWords<'cluster-removed'> = {
  section: 'Clusters',
  title: ({ cluster, wasRetired }) =>
    wasRetired ? `${cluster} was retired and leaves the fleet` : `${cluster} leaves the fleet`,
  why: {
    'retired-before': 'it was retired and has no links any more',
    'folder-is-removed': 'its folder is removed, so a GitOps tool that still applies it deletes everything in it',
  },
  steps: {
    'retire-cluster-first': {
      what: 'retire it first (`retired: true`): its own GitOps tool then removes its objects',
      on: ({ cluster }) => cluster,
    },
  },
};

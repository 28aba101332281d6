import type { ChangeWords } from '../change-words.ts';

export const clusterAddedWords: ChangeWords<'cluster-added'> = {
  section: 'Clusters',
  code: null,
  title: ({ cluster }) => `${cluster} is new`,
  why: { 'unused-so-far': 'nothing runs over it yet' },
  steps: {},
};

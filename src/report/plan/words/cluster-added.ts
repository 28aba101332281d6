import type { ChangeWords } from '../change-words.ts';

export const clusterAddedWords: ChangeWords<'cluster-added'> = {
  section: 'Clusters',
  title: ({ cluster }) => `${cluster} is new`,
  why: { 'unused-so-far': 'no traffic uses it yet' },
  steps: {},
};

import type { ChangeWords } from '../change-words.ts';

export const clusterReturnedWords: ChangeWords<'cluster-returned'> = {
  section: 'Clusters',
  title: ({ cluster }) => `${cluster} is no longer retired`,
  why: { 'had-no-links': 'it had no links' },
  steps: {},
};

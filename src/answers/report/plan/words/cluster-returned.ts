import type { ChangeWords } from '../change-words.ts';

export const clusterReturnedWords: ChangeWords<'cluster-returned'> = {
  section: 'Clusters',
  title: ({ cluster }) => `${cluster} is no longer retired`,
  why: { 'had-no-links': 'it had no links' },
  steps: {
    'check-the-installation': {
      what: 'make sure that Liqo runs with the helm-values.yaml of the cluster, and install it again where a network of its own is another one',
      on: ({ cluster }) => cluster,
    },
  },
};

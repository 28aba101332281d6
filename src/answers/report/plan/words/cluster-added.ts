import type { ChangeWords } from '../change-words.ts';

export const clusterAddedWords: ChangeWords<'cluster-added'> = {
  section: 'Clusters',
  title: ({ cluster }) => `${cluster} is new`,
  why: { 'unused-so-far': 'no traffic uses it yet' },
  steps: {
    'install-liqo': {
      what: 'install Liqo with the helm-values.yaml of the cluster',
      on: ({ cluster }) => cluster,
    },
    'register-in-argo': { what: 'register the cluster in Argo CD', on: ({ cluster }) => cluster },
    'register-in-flux': {
      what: 'let Flux apply the entry points of the cluster',
      on: ({ cluster }) => `_flux/clusters/${cluster}`,
    },
    'apply-the-bundle': { what: 'apply the bundle with your own tool', on: ({ cluster }) => cluster },
  },
};

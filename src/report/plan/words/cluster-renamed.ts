import type { ChangeWords } from '../change-words.ts';

export const clusterRenamedWords: ChangeWords<'cluster-renamed'> = {
  section: 'Clusters',
  title: ({ cluster, from }) => `${from} is now called ${cluster} (same networks, same peers)`,
  why: {
    'cluster-id-is-fixed': 'a cluster ID cannot change after the installation of Liqo: all its links are recreated',
  },
  steps: {
    'reinstall-under-new-id': {
      what: 'reinstall Liqo under the new cluster ID',
      on: ({ cluster, from }) => `${from} as ${cluster}`,
    },
  },
};

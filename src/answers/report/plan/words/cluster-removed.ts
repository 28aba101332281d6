import type { ChangeWords } from '../change-words.ts';

export const clusterRemovedWords: ChangeWords<'cluster-removed'> = {
  section: 'Clusters',
  title: ({ cluster, wasRetired, lookalike }) => {
    if (wasRetired) return `${cluster} was retired and leaves the fleet`;
    return lookalike === null
      ? `${cluster} leaves the fleet`
      : `${cluster} leaves the fleet, and ${lookalike} looks like ${cluster} renamed (same networks, same peers)`;
  },
  why: {
    'retired-before': 'it was retired and has no links any more',
    'folder-is-removed': 'its folder is removed, so a GitOps tool that still applies it deletes everything in it',
    'looks-renamed':
      'without `renamedFrom` these are two clusters: the new one gets addresses, ports and keys of its own, because those of the old one are taken until it is gone',
  },
  steps: {
    'declare-a-rename': {
      what: 'if both are one cluster, write this in the topology and compile again before anything is applied, to keep addresses, ports and keys',
      on: ({ cluster, lookalike }) => `\`renamedFrom: ${cluster}\` in ${lookalike ?? ''}`,
    },
    'retire-cluster-first': {
      what: 'retire it first (`retired: true`): its own GitOps tool then removes its objects',
      on: ({ cluster }) => cluster,
    },
  },
};

import type { Difference } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { insteadOf } from './plain-words.ts';

export const deliveryChangedWords: ChangeWords<'delivery-changed'> = {
  section: 'Settings',
  title: (it) => `${whatChanges(it)} ${insteadOf(it, noneOf(it))}`,
  why: {
    'another-source':
      'whoever can write there decides what runs in the clusters from now on, and what is not there is pruned',
    'another-destination':
      'the manifests of this cluster go there from now on, and the server that had them gets none any more',
    'other-permissions': 'who applies the bundles, and what it may do in the clusters, is decided there from now on',
  },
  steps: {
    'check-the-source': {
      what: 'make sure that this source is meant, and who can write there',
      on: (it) => it.to ?? noneOf(it),
    },
    'check-the-destination': {
      what: 'make sure that this is the API server of the cluster',
      on: (it) => `${it.cluster ?? ''}: ${it.to ?? noneOf(it)}`,
    },
    'check-the-permissions': {
      what: 'make sure that this is meant, and remove the entry points where they were applied before',
      on: (it) => `${it.tool}: ${it.to ?? noneOf(it)}`,
    },
  },
};

function whatChanges({ tool, cluster, setting }: Difference<'delivery-changed'>): string {
  switch (setting) {
    case 'repository':
      return `${tool} takes the bundles from`;
    case 'revision':
      return `${tool} takes the bundles of revision`;
    case 'path':
      return `${tool} takes the bundles from the folder`;
    case 'source':
      return `${tool} takes the bundles from its object`;
    case 'sourceRepos':
      return `the project of ${tool} allows the repositories`;
    case 'project':
      return `${tool} applies the bundles with the permissions of project`;
    case 'namespace':
      return `the entry points belong to the ${tool} in namespace`;
    case 'destination':
      return tool === 'Flux'
        ? `Flux applies ${cluster ?? ''} with the kubeconfig`
        : `${tool} applies ${cluster ?? ''} to`;
  }
}

/** What a place without a value stands for. */
function noneOf({ tool, cluster, setting }: Difference<'delivery-changed'>): string {
  if (setting === 'destination')
    return tool === 'Flux' ? 'of the cluster where it runs' : `the cluster that it calls ${cluster ?? ''}`;
  if (setting === 'sourceRepos') return 'of the bundles alone';
  return 'an unknown one';
}

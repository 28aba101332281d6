import type { ChangeWords } from '../change-words.ts';
import { andDeletes, DELETES_NAMESPACES, SAVE_THE_VOLUMES } from './plain-sharing.ts';

export const sliceRemovedWords: ChangeWords<'slice-removed'> = {
  section: 'Sharing',
  title: ({ consumer, provider, slice, deleted }) =>
    `${consumer} no longer borrows slice ${slice} from ${provider}${andDeletes(deleted)}`,
  why: {
    'its-pods-are-evicted': 'its virtual node is drained and removed; evictions respect PodDisruptionBudgets',
    'all-slices-are-replaced':
      'the last virtual node of the provider is removed before the new one is there, and with it every namespace that Liqo made in the provider',
    'namespaces-are-deleted': DELETES_NAMESPACES,
  },
  steps: {
    'save-the-volumes': SAVE_THE_VOLUMES,
    'add-the-new-slice-before': {
      what: 'add the new slice in a change of its own before this one, and wait until its virtual node is ready: then nothing is deleted',
      on: ({ slice, provider }) => `${slice} of ${provider}`,
    },
  },
};

import { listOf } from '../../../../base/core/words.ts';
import type { ChangeWords } from '../change-words.ts';
import { placeIn, placesOf } from './plain-places.ts';
import { andDeletes, DELETES_NAMESPACES, SAVE_THE_VOLUMES, WITHDRAW } from './plain-sharing.ts';

export const shareRemovedWords: ChangeWords<'share-removed'> = {
  section: 'Sharing',
  title: ({ consumer, provider, deleted }) => `${consumer} no longer borrows from ${provider}${andDeletes(deleted)}`,
  why: {
    'namespaces-are-deleted': DELETES_NAMESPACES,
    'virtual-nodes-are-drained': 'the virtual nodes of the provider are drained and removed, and its pods are evicted',
  },
  steps: {
    'save-the-volumes': SAVE_THE_VOLUMES,
    'withdraw-in-a-change-before': WITHDRAW,
    'end-the-loan-before': {
      what: 'end this loan in a change of its own before Liqo is uninstalled, and wait until these ResourceSlices and their virtual nodes are gone: afterwards nothing removes what they have in the provider',
      on: ({ consumer, slices }) => `${listOf(slices)} in ${consumer}`,
    },
    'apply-the-consumer-first': {
      what: 'apply the consumer first, and wait until these ResourceSlices and their virtual nodes are gone: evictions respect PodDisruptionBudgets',
      on: ({ consumer, slices }) => `${listOf(slices)} in ${consumer}`,
    },
    'then-apply-the-provider': {
      what: 'only then delete the Tenant in the provider, which no tool prunes: without it, the consumer may no longer delete there what it has made',
      on: (it) => placeIn(it, it.provider, it.consumer),
    },
    'delete-what-stays': {
      what: 'delete what stays: liqo-nonce, liqo-remote-certificate, and one more Secret for each slice',
      on: (it) => placeIn(it, it.provider, it.consumer),
    },
    'delete-the-account': {
      what: 'delete the ServiceAccount and its RoleBinding, which no tool prunes and whose tokens open the provider, and one Secret for each slice',
      on: (it) => `consumer-${it.consumer} of ${placeIn(it, it.provider, it.consumer)}`,
    },
    'delete-tenant-namespaces': {
      what: 'delete the tenant namespaces, which no tool prunes, once they are empty',
      on: (it) => placesOf(it, [it.provider, it.consumer]),
    },
  },
};

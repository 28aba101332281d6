import type { ChangeWords } from '../change-words.ts';
import { andDeletes, DELETES_NAMESPACES, names, namespaceOf, SAVE_THE_VOLUMES } from './plain-sharing.ts';

export const namespaceWithdrawnWords: ChangeWords<'namespace-withdrawn'> = {
  section: 'Offloading',
  title: ({ deleted, ...it }) => `${namespaceOf(it)} is no longer offloaded${andDeletes(deleted)}`,
  why: {
    'namespaces-are-deleted': DELETES_NAMESPACES,
    'is-in-no-provider': 'no provider has a namespace for it',
  },
  steps: {
    'save-the-volumes': SAVE_THE_VOLUMES,
    'wait-for-the-namespaces': {
      what: 'wait until its NamespaceOffloading is gone: its finalizer waits for the providers, which have to be reachable',
      on: ({ providers, ...it }) => `${namespaceOf(it)} in ${names(providers)}`,
    },
  },
};

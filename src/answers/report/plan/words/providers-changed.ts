import type { ChangeWords } from '../change-words.ts';
import {
  andDeletes,
  CREATE_PODS_AGAIN,
  DELETES_NAMESPACES,
  names,
  namespaceOf,
  SAVE_THE_VOLUMES,
} from './plain-sharing.ts';

export const providersChangedWords: ChangeWords<'providers-changed'> = {
  section: 'Offloading',
  title: ({ added, removed, deleted, ...it }) => {
    const parts = [
      ...(added.length === 0 ? [] : [`is offloaded to ${names(added)}, too`]),
      ...(removed.length === 0 ? [] : [`is no longer offloaded to ${names(removed)}${andDeletes(deleted)}`]),
    ];
    return `${namespaceOf(it)} ${parts.join('; it ')}`;
  },
  why: {
    'namespaces-are-deleted': DELETES_NAMESPACES,
    'is-in-none-of-these': 'none of these providers has a namespace for it',
    'pods-that-run-stay': 'pods that run stay where they are',
  },
  steps: {
    'save-the-volumes': SAVE_THE_VOLUMES,
    'create-the-pods-again': { what: CREATE_PODS_AGAIN, on: namespaceOf },
  },
};

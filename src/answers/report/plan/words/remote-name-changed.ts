import type { ChangeWords } from '../change-words.ts';
import { andDeletes, DELETES_NAMESPACES, namespaceOf, SAVE_THE_VOLUMES } from './plain-sharing.ts';

export const remoteNameChangedWords: ChangeWords<'remote-name-changed'> = {
  section: 'Offloading',
  title: ({ from, to, deleted, ...it }) =>
    from.name === to.name
      ? `${namespaceOf(it)} is called ${to.name} in providers by ${to.mapping} instead of ${from.mapping}${andDeletes(deleted)}`
      : `${namespaceOf(it)} is called ${to.name} instead of ${from.name} in providers${andDeletes(deleted)}`,
  why: {
    'namespaces-are-deleted': `the name is fixed, so the NamespaceOffloading has to be deleted and made again: ${DELETES_NAMESPACES}`,
    'name-is-fixed': 'the name is fixed: Liqo refuses the change until the NamespaceOffloading is deleted',
  },
  steps: {
    'save-the-volumes': SAVE_THE_VOLUMES,
    'withdraw-in-a-change-before': {
      what: 'remove its entry in a change of its own before this one, and wait until its NamespaceOffloading is gone: Liqo refuses another name',
      on: namespaceOf,
    },
  },
};

import type { ChangeWords } from '../change-words.ts';
import { namespaceOf } from './plain-sharing.ts';

export const namespaceOwnerChangedWords: ChangeWords<'namespace-owner-changed'> = {
  section: 'Offloading',
  title: ({ isCreated, ...it }) =>
    isCreated ? `${namespaceOf(it)} is among the objects` : `${namespaceOf(it)} is no longer among the objects`,
  why: {
    'made-if-it-is-missing': 'it is made if it is missing, and never pruned',
    'no-tool-prunes-it': 'it stays in the cluster: no tool prunes it',
  },
  steps: {},
};

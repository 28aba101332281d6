import type { ChangeWords } from '../change-words.ts';
import { CREATE_PODS_AGAIN, namespaceOf } from './plain-sharing.ts';

export const podsChangedWords: ChangeWords<'pods-changed'> = {
  section: 'Offloading',
  title: ({ from, to, ...it }) => `${namespaceOf(it)}: its pods are placed by ${to} instead of ${from}`,
  why: { 'only-for-new-pods': 'pods that run stay where they are' },
  steps: { 'create-the-pods-again': { what: CREATE_PODS_AGAIN, on: namespaceOf } },
};

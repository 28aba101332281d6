import type { ChangeWords } from '../change-words.ts';
import { CREATE_PODS_AGAIN, names, namespaceOf } from './plain-sharing.ts';

export const namespaceOffloadedWords: ChangeWords<'namespace-offloaded'> = {
  section: 'Offloading',
  title: ({ providers, remoteName, ...it }) =>
    providers.length === 0
      ? `${namespaceOf(it)} is offloaded, so far to no provider`
      : `${namespaceOf(it)} is offloaded to ${names(providers)}, where it is called ${remoteName}`,
  why: { 'pods-that-run-stay': 'pods that run stay where they are' },
  steps: { 'create-the-pods-again': { what: CREATE_PODS_AGAIN, on: namespaceOf } },
};

import type { ChangeWords } from '../change-words.ts';
import {
  andDeletes,
  CREATE_PODS_AGAIN,
  DELETES_NAMESPACES,
  names,
  namespaceOf,
  SAVE_THE_VOLUMES,
} from './plain-sharing.ts';

export const namespaceOffloadedWords: ChangeWords<'namespace-offloaded'> = {
  section: 'Offloading',
  title: ({ providers, remoteName, ...it }) =>
    providers.length === 0
      ? `${namespaceOf(it)} is offloaded, so far to no provider`
      : `${namespaceOf(it)} is offloaded to ${names(providers)}, where it is called ${remoteName}`,
  why: { 'pods-that-run-stay': 'pods that run stay where they are' },
  steps: { 'create-the-pods-again': { what: CREATE_PODS_AGAIN, on: namespaceOf } },
};

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

export const podsChangedWords: ChangeWords<'pods-changed'> = {
  section: 'Offloading',
  title: ({ from, to, ...it }) => `${namespaceOf(it)}: its pods are placed by ${to} instead of ${from}`,
  why: { 'only-for-new-pods': 'pods that run stay where they are' },
  steps: { 'create-the-pods-again': { what: CREATE_PODS_AGAIN, on: namespaceOf } },
};

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

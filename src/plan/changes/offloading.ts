import { aboutCluster, after, before, breaks, changeKind, harmless, together } from '../change-kind.ts';
import { ENTRY_POINTS, namespaceFiles } from '../plan-file.ts';
import {
  andDeletes,
  CREATE_PODS_AGAIN,
  DELETES_NAMESPACES,
  names,
  namespaceOf,
  SAVE_THE_VOLUMES,
  untilWithdrawn,
} from './plain-words.ts';

export const namespaceOffloaded = changeKind('namespace-offloaded')
  .decided({
    identity: ({ cluster, namespace }) => [cluster, namespace],
    subject: ({ cluster, providers }) => aboutCluster(cluster, providers),
    code: null,
    // The webhook of Liqo sees pods only when they are created.
    judge: () => harmless('add', 'pods-that-run-stay', after('create-the-pods-again')),
    flows: () => [],
    explains: (it) => [...namespaceFiles(it, it.providers), ENTRY_POINTS],
  })
  .worded({
    section: 'Offloading',
    title: ({ providers, remoteName, ...it }) =>
      providers.length === 0
        ? `${namespaceOf(it)} is offloaded, so far to no provider`
        : `${namespaceOf(it)} is offloaded to ${names(providers)}, where it is called ${remoteName}`,
    why: { 'pods-that-run-stay': 'pods that run stay where they are' },
    steps: { 'create-the-pods-again': { what: CREATE_PODS_AGAIN, on: namespaceOf } },
  });

export const namespaceWithdrawn = changeKind('namespace-withdrawn')
  .decided({
    identity: ({ cluster, namespace }) => [cluster, namespace],
    subject: ({ cluster, providers }) => aboutCluster(cluster, providers),
    code: 'plan/sharing-ends',
    judge: ({ deleted }) =>
      deleted.length === 0
        ? harmless('remove', 'is-in-no-provider')
        : breaks('remove', 'namespaces-are-deleted', before('save-the-volumes'), together('wait-for-the-namespaces')),
    flows: () => [],
    explains: (it) => [...namespaceFiles(it, it.providers), ENTRY_POINTS],
  })
  .worded({
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
        commands: untilWithdrawn,
      },
    },
  });

export const namespaceOwnerChanged = changeKind('namespace-owner-changed')
  .decided({
    identity: ({ cluster, namespace }) => [cluster, namespace],
    subject: ({ cluster }) => aboutCluster(cluster),
    code: null,
    judge: ({ isCreated }) =>
      isCreated ? harmless('change', 'made-if-it-is-missing') : harmless('change', 'no-tool-prunes-it'),
    flows: () => [],
    explains: (it) => namespaceFiles(it, []),
  })
  .worded({
    section: 'Offloading',
    title: ({ isCreated, ...it }) =>
      isCreated ? `${namespaceOf(it)} is among the objects` : `${namespaceOf(it)} is no longer among the objects`,
    why: {
      'made-if-it-is-missing': 'it is made if it is missing, and never pruned',
      'no-tool-prunes-it': 'it stays in the cluster: no tool prunes it',
    },
    steps: {},
  });

export const providersChanged = changeKind('providers-changed')
  .decided({
    identity: ({ cluster, namespace }) => [cluster, namespace],
    subject: ({ cluster, added, removed }) => aboutCluster(cluster, [...added, ...removed]),
    code: 'plan/sharing-ends',
    judge: ({ deleted, removed }) => {
      if (deleted.length > 0) return breaks('change', 'namespaces-are-deleted', before('save-the-volumes'));
      return removed.length > 0
        ? harmless('change', 'is-in-none-of-these')
        : harmless('change', 'pods-that-run-stay', after('create-the-pods-again'));
    },
    flows: () => [],
    explains: (it) => namespaceFiles(it, [...it.added, ...it.removed]),
  })
  .worded({
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
  });

export const podsChanged = changeKind('pods-changed')
  .decided({
    identity: ({ cluster, namespace }) => [cluster, namespace],
    subject: ({ cluster }) => aboutCluster(cluster),
    code: null,
    judge: () => harmless('change', 'only-for-new-pods', after('create-the-pods-again')),
    flows: () => [],
    explains: (it) => namespaceFiles(it, []),
  })
  .worded({
    section: 'Offloading',
    title: ({ from, to, ...it }) => `${namespaceOf(it)}: its pods are placed by ${to} instead of ${from}`,
    why: { 'only-for-new-pods': 'pods that run stay where they are' },
    steps: { 'create-the-pods-again': { what: CREATE_PODS_AGAIN, on: namespaceOf } },
  });

/**
 * Both fields are immutable. Source: liqotech/liqo@v1.2.0 pkg/webhooks/namespaceoffloading refuses them in an update.
 */
export const remoteNameChanged = changeKind('remote-name-changed')
  .decided({
    identity: ({ cluster, namespace }) => [cluster, namespace],
    subject: ({ cluster, deleted }) =>
      aboutCluster(
        cluster,
        deleted.map((it) => it.provider),
      ),
    code: 'plan/sharing-ends',
    judge: ({ deleted }) =>
      deleted.length === 0
        ? breaks('change', 'name-is-fixed', before('withdraw-in-a-change-before'))
        : breaks('change', 'namespaces-are-deleted', before('save-the-volumes'), before('withdraw-in-a-change-before')),
    flows: () => [],
    explains: (it) =>
      namespaceFiles(
        it,
        it.deleted.map(({ provider }) => provider),
      ),
  })
  .worded({
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
        commands: untilWithdrawn,
      },
    },
  });

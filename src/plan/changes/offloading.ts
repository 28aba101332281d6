import { aboutCluster, after, before, breaks, changeKind, harmless, together } from '../change-kind.ts';
import { ENTRY_POINTS, namespaceFiles } from '../file-claim.ts';

export const namespaceOffloaded = changeKind('namespace-offloaded')({
  identity: ({ cluster, namespace }) => [cluster, namespace],
  subject: ({ cluster, providers }) => aboutCluster(cluster, providers),
  code: null,
  // The webhook of Liqo sees pods only when they are created.
  judge: () => harmless('add', 'pods-that-run-stay', after('create-the-pods-again')),
  flows: () => [],
  explains: (it) => [...namespaceFiles(it, it.providers), ENTRY_POINTS],
});

export const namespaceWithdrawn = changeKind('namespace-withdrawn')({
  identity: ({ cluster, namespace }) => [cluster, namespace],
  subject: ({ cluster, providers }) => aboutCluster(cluster, providers),
  code: 'plan/sharing-ends',
  judge: ({ deleted }) =>
    deleted.length === 0
      ? harmless('remove', 'is-in-no-provider')
      : breaks('remove', 'namespaces-are-deleted', before('save-the-volumes'), together('wait-for-the-namespaces')),
  flows: () => [],
  explains: (it) => [...namespaceFiles(it, it.providers), ENTRY_POINTS],
});

export const namespaceOwnerChanged = changeKind('namespace-owner-changed')({
  identity: ({ cluster, namespace }) => [cluster, namespace],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: ({ isCreated }) =>
    isCreated ? harmless('change', 'made-if-it-is-missing') : harmless('change', 'no-tool-prunes-it'),
  flows: () => [],
  explains: (it) => namespaceFiles(it, []),
});

export const providersChanged = changeKind('providers-changed')({
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
});

export const podsChanged = changeKind('pods-changed')({
  identity: ({ cluster, namespace }) => [cluster, namespace],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: () => harmless('change', 'only-for-new-pods', after('create-the-pods-again')),
  flows: () => [],
  explains: (it) => namespaceFiles(it, []),
});

/**
 * Both fields are immutable. Source: liqotech/liqo@v1.2.0 pkg/webhooks/namespaceoffloading refuses them in an update.
 */
export const remoteNameChanged = changeKind('remote-name-changed')({
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
});

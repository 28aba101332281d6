import { changeKind } from '../change-kind.ts';
import { namespaceFiles } from '../share-files.ts';
import { aboutCluster } from '../subject.ts';
import { before, breaks } from '../verdict.ts';

/** Source: liqotech/liqo@v1.2.0 pkg/webhooks/namespaceoffloading: both fields are refused in an update. */
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

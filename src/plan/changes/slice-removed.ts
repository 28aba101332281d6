import { aboutShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { before, breaks } from '../verdict.ts';

/**
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller (drain.go,
 * ensureNamespaceMapAbsence: the NamespaceMap goes with the last virtual node of a provider).
 */
export const sliceRemoved = changeKind('slice-removed')({
  identity: ({ consumer, provider, slice }) => [consumer, provider, slice],
  subject: aboutShare,
  code: 'plan/sharing-ends',
  judge: ({ isReplaced, deleted }) => {
    if (!isReplaced) return breaks('remove', 'its-pods-are-evicted');
    return deleted.length === 0
      ? breaks('remove', 'all-slices-are-replaced', before('add-the-new-slice-before'))
      : breaks('remove', 'namespaces-are-deleted', before('save-the-volumes'), before('add-the-new-slice-before'));
  },
  flows: () => [],
  explains: shareFiles,
});

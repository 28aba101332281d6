import { aboutShare, idOfShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { before, breaks, harmless } from '../verdict.ts';

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/tenant-controller (handleTenantDrained, handleTenantCordoned). */
export const conditionChanged = changeKind('condition-changed')({
  identity: idOfShare,
  subject: aboutShare,
  code: 'plan/sharing-ends',
  judge: ({ to, deleted }) => {
    switch (to) {
      case 'Drained':
        return deleted.length === 0
          ? breaks('change', 'provider-takes-all-back')
          : breaks(
              'change',
              'namespaces-are-deleted',
              before('save-the-volumes'),
              before('withdraw-in-a-change-before'),
            );
      case 'Cordoned':
        return breaks('change', 'no-new-pods');
      default:
        return harmless('change', 'lends-again');
    }
  },
  flows: () => [],
  explains: shareFiles,
});

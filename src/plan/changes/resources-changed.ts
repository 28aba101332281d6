import { parseQuantity } from '../../base/core/quantity.ts';
import { aboutShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { shareFiles } from '../share-files.ts';
import { after, harmless } from '../verdict.ts';

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/remoteresourceslice-controller (handleResourcesStatus). */
export const resourcesChanged = changeKind('resources-changed')({
  identity: ({ consumer, slice }) => [consumer, slice],
  subject: aboutShare,
  code: null,
  judge: (it) => {
    if (Object.keys(it.from).some((resource) => it.to[resource] === undefined))
      return harmless('change', 'what-is-left-out-stays', after('make-the-slice-again'));
    return isLess(it) ? harmless('change', 'less-for-new-pods') : harmless('change', 'more-for-new-pods');
  },
  flows: () => [],
  explains: shareFiles,
});

const isLess = ({ from, to }: Difference<'resources-changed'>): boolean =>
  Object.entries(from).some(([resource, was]) => {
    const [a, b] = [parseQuantity(was), parseQuantity(to[resource] ?? '')];
    return a !== undefined && b !== undefined && b.nanos < a.nanos;
  });

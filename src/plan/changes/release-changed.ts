import { isOlder } from '../../base/releases/release.ts';
import { changeKind } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { inFolder } from '../file-claim.ts';
import { flowsThroughCluster } from '../flows-through.ts';
import { aboutCluster } from '../subject.ts';
import { after, before, breaks } from '../verdict.ts';

export const releaseChanged = changeKind('release-changed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: 'plan/breaks-flows',
  judge: (it) => {
    if (isDowngrade(it)) {
      return it.asksAgain
        ? breaks('change', 'downgrade-asks-again', before('downgrade-liqo'), after('compare-all-views'))
        : breaks('change', 'downgrade-restarts-gateways', before('downgrade-liqo'));
    }
    if (!it.asksAgain)
      return breaks('change', 'upgrade-restarts-gateways', before('upgrade-crds'), before('upgrade-liqo'));
    return it.mayMove.length === 0
      ? breaks(
          'change',
          'upgrade-asks-again',
          before('upgrade-crds'),
          before('upgrade-liqo'),
          after('compare-all-views'),
        )
      : breaks(
          'change',
          'upgrade-may-move-views',
          before('upgrade-crds'),
          before('upgrade-liqo'),
          after('compare-views-that-may-move'),
        );
  },
  flows: ({ cluster }, context) => flowsThroughCluster(cluster, context),
  explains: ({ cluster }) => [inFolder(cluster)],
});

/** An unknown version is older than every version that files can prove. */
const isDowngrade = ({ from, to }: Difference<'release-changed'>): boolean =>
  to === null || (from !== null && isOlder(to, from));

import { groupBy } from '../../../base/core/group-by.ts';
import { by } from '../../../base/core/order.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { platformFacts } from '../../../base/releases/platforms.ts';
import { describeClusters } from '../describe-clusters.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Everything that Liqo offers works on the platforms. One note for each platform on which some of it does not. */
export const platformsRunAllOfLiqo: TopologyRule = function* ({ clusters }) {
  const used = [...clusters].sort(by((it) => it.name)).filter((it) => it.platform !== null && !it.retired);
  for (const [platform, of] of groupBy(used, (it) => (it.platform ? [it.platform.value] : []))) {
    const at = of[0]?.platform?.at;
    const { limits } = platformFacts(platform);
    if (!at || limits.length === 0) continue;
    const message = `${describeClusters(of)} on ${platform}: ${limits.join(', and ')}`;
    yield diagnostic('topology/platform-limits', at, message, {
      about: of.map((it) => [it.name]),
      hint: 'plan workloads without it; Liqo documents it in its compatibility matrix',
    });
  }
};

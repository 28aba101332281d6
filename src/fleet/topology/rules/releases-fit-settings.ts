import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { hasAllocator } from '../../../base/releases/allocators.ts';
import { CANDIDATES } from '../../../base/releases/release.ts';
import { firstLineWith } from '../../../base/releases/traits.ts';
import type { Declaration } from '../declaration.ts';
import { describeNewerClusters } from '../describe-newer-clusters.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Settings are used only in the releases that have them: several pod CIDRs from 1.2, the best-fit allocator before 1.0. */
export const releasesFitSettings: TopologyRule = function* (topology) {
  const supporting = firstLineWith('takesSeveralPodCIDRs');
  for (const cluster of topology.clusters) {
    const second = cluster.podCIDRs[1];
    if (second && !cluster.traits.takesSeveralPodCIDRs) {
      yield diagnostic(
        'topology/several-pod-cidrs',
        second.at,
        `"${cluster.name}" has ${cluster.podCIDRs.length} pod CIDRs, but Liqo ${cluster.release.version} uses only the first`,
        {
          hint: `upgrade the cluster to ${supporting} (\`liqo.version: "${supporting}"\`), or set one pod CIDR`,
        },
      );
    }
  }
  yield* bestFitIsOld(topology);
};

/** The allocator is a setting of the fleet: one mistake, however many clusters it does not fit. */
function* bestFitIsOld({ clusters }: Declaration): Iterable<Diagnostic> {
  const newer = clusters.filter((it) => !hasAllocator(it.release, it.allocator));
  const [first] = newer;
  if (!first) return;
  const who = describeNewerClusters(first, newer.length - 1);
  yield diagnostic(
    'topology/allocator-needs-1.0',
    first.at,
    `\`allocator: best-fit\` ended with Liqo ${CANDIDATES.at(-1)}, and ${who}`,
    {
      hint: `set \`ipam.allocator: liqo\` for the allocator of the release, or \`liqo.version\` to a release that has best-fit (${CANDIDATES.map((it) => `"${it}"`).join(' or ')})`,
    },
  );
}

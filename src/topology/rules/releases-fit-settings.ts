import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { isAtLeast } from '../release.ts';
import type { Rule } from './rule.ts';

/** Some settings exist in some releases only: several pod CIDRs from 1.2, the best-fit allocator in 1.0. */
export const releasesFitSettings: Rule = function* (topology) {
  for (const cluster of topology.clusters) {
    const second = cluster.podCIDRs[1];
    if (second && !isAtLeast(cluster.release, '1.2')) {
      yield diagnostic(
        'topology/several-pod-cidrs',
        second.at,
        `"${cluster.name}" has ${cluster.podCIDRs.length} pod CIDRs, and Liqo ${cluster.release.version} uses the first only`,
        {
          hint: 'upgrade the cluster to 1.2 (`liqo.version: "1.2"`), or give one pod CIDR',
        },
      );
    }
    if (cluster.allocator === 'best-fit' && cluster.release.line !== '1.0') {
      yield diagnostic(
        'topology/allocator-needs-1.0',
        cluster.at,
        `\`allocator: best-fit\` stopped with Liqo 1.0.0-rc.3, and "${cluster.name}" runs ${cluster.release.version}`,
        {
          hint: 'set `liqo.version: "1.0"`, or `ipam.allocator: liqo` for what the release does',
        },
      );
    }
  }
};

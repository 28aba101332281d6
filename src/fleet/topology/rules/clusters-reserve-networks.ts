import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { platformFacts } from '../../../base/releases/platforms.ts';
import type { TopologyRule } from './topology-rule.ts';

/** A cluster lists the other networks that are routed in it: the IPAM may remap a peer onto a node subnet that is not listed. */
export const clustersReserveNetworks: TopologyRule = function* ({ clusters }) {
  for (const { name, at, platform, reserved, retired } of clusters) {
    // Where the platform says where the nodes are, another rule knows more.
    const nodes = platform === null ? 'unknown' : platformFacts(platform.value).nodes;
    if (reserved.length > 0 || retired || nodes !== 'unknown') continue;
    yield diagnostic(
      'topology/nothing-reserved',
      at,
      `"${name}" reserves no networks, so a remap may overlap its node subnet`,
      { about: [[name]], hint: 'list its node subnets and other routed networks in `reserved`' },
    );
  }
};

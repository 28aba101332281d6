import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/** A cluster lists what else is routed in it: the IPAM may remap a peer onto a node subnet that it does not know of. */
export const clustersReserveNetworks: TopologyRule = function* ({ clusters }) {
  for (const { name, at, reserved, retired } of clusters) {
    if (reserved.length > 0 || retired) continue;
    yield diagnostic(
      'topology/nothing-reserved',
      at,
      `"${name}" reserves nothing, so a remap may shadow its node subnet`,
      { hint: 'list node subnets and whatever else is routed there in `reserved`' },
    );
  }
};

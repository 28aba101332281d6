import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Each gateway has one address: peers dial only the first, since the default gateway template of Liqo supports one. */
export const gatewaysHaveOneAddress: TopologyRule = function* ({ clusters }) {
  for (const { name, gateway } of clusters) {
    const [, second] = gateway.addresses;
    if (!second) continue;
    yield diagnostic(
      'topology/several-addresses',
      second.at,
      `peers of "${name}" dial only its first gateway address`,
      {
        about: [[name]],
        hint: 'use a DNS name or a virtual address that fails over; the default gateway template supports one address',
      },
    );
  }
};

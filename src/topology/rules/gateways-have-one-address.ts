import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Peers dial the first address of a gateway only: the default gateway template of Liqo takes one. */
export const gatewaysHaveOneAddress: TopologyRule = function* ({ clusters }) {
  for (const { name, gateway } of clusters) {
    const [, second] = gateway.addresses;
    if (!second) continue;
    yield diagnostic(
      'topology/several-addresses',
      second.at,
      `peers of "${name}" dial its first gateway address only`,
      {
        hint: 'the default gateway template takes one; use a DNS name or a virtual address that fails over',
      },
    );
  }
};

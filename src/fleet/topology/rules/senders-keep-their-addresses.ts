import { groupBy } from '../../../base/core/group-by.ts';
import { by } from '../../../base/core/order.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { describeClusters } from '../describe-clusters.ts';
import type { TopologyRule } from './topology-rule.ts';

/** A pod's packets reach peers with an address of that pod. Where nodes masquerade everything, they do not. */
export const sendersKeepTheirAddresses: TopologyRule = function* ({ clusters }) {
  const masked = [...clusters].sort(by((it) => it.name)).filter((it) => it.fabric.fullMasquerade && !it.retired);
  for (const [name, of] of groupBy(masked, (it) => [it.platform?.value === 'eks' ? 'eks' : (it.cni?.value ?? '')])) {
    const [first] = of;
    const at = name === 'eks' ? first?.platform?.at : first?.cni?.at;
    if (!at) continue;
    const message = `${describeClusters(of)} on ${name}: peers see all packets of a cluster with one source address`;
    yield diagnostic('topology/one-source-address', at, message, {
      about: of.map((it) => [it.name]),
      hint: 'select senders by cluster and not by pod in the policies of peers; `weft trace` shows the address',
    });
  }
};

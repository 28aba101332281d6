import { groupBy } from '../../../base/core/group-by.ts';
import { by } from '../../../base/core/order.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Cni } from '../../../base/releases/platforms.ts';
import { describeClusters } from '../describe-clusters.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Source: liqotech/liqo@v1.2.0 docs/installation/install.md (CNIs). */
const SETTINGS: Readonly<Partial<Record<Cni, { readonly what: string; readonly hint: string }>>> = {
  cilium: {
    what: 'Cilium taints virtual nodes and takes the interfaces of Liqo for its own unless its values exclude both',
    hint: 'set `devices`, and `affinity` with `liqo.io/type` `DoesNotExist`, in the values of Cilium, as in "weft explain topology/cni-settings"',
  },
  calico: {
    what: 'Calico with BGP may take an interface of Liqo for that of the node',
    hint: 'set `nodeAddressAutodetectionV4.skipInterface: liqo.*` in its Installation, as in "weft explain topology/cni-settings"',
  },
};

/** The network plugin leaves interfaces and nodes of Liqo alone. That is set in the plugin, where weft cannot look. */
export const cnisLeaveLiqoAlone: TopologyRule = function* ({ clusters }) {
  const used = [...clusters].sort(by((it) => it.name)).filter((it) => it.cni !== null && !it.retired);
  for (const [cni, of] of groupBy(used, (it) => (it.cni ? [it.cni.value] : []))) {
    const at = of[0]?.cni?.at;
    const settings = SETTINGS[cni];
    if (!at || !settings) continue;
    yield diagnostic('topology/cni-settings', at, `${describeClusters(of)}: ${settings.what}`, {
      about: of.map((it) => [it.name]),
      hint: settings.hint,
    });
  }
};

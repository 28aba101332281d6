import { quoted } from '../../core/words.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { defaultSliceName } from '../default-slice-name.ts';
import type { SharingRule } from './sharing-rule.ts';

/** Every namespace has one. Source: kubernetes/kubernetes@v1.35.0 pkg/controller/serviceaccount. */
const ACCOUNT_OF_KUBERNETES = 'default';

/**
 * The virtual kubelet of a slice runs as the ServiceAccount that is called like the slice, in the tenant namespace of the
 * provider. The gateway runs as one that is called like the gateway, there too, and weft calls it like the provider. If
 * both are one, it has the rights of both, and goes with the virtual node.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller/virtualkubelet.go,
 * deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml (serviceAccountName).
 */
export const slicesUseAnAccountOfTheirOwn: SharingRule = function* ({ model }) {
  for (const { consumer, provider, link, slices } of model.shares) {
    for (const { name, at } of slices) {
      const isGateway = link !== null && name === provider.name;
      if (!isGateway && name !== ACCOUNT_OF_KUBERNETES) continue;
      const whose = isGateway
        ? `the gateway of ${quoted(consumer.name)} towards ${quoted(provider.name)}`
        : 'every pod of its namespace that names none';
      yield diagnostic(
        'sharing/account-shared',
        at,
        `the slice ${quoted(name)} of ${quoted(consumer.name)} would share its ServiceAccount with ${whose}, and deleting its virtual node deletes that`,
        { hint: `choose another \`name\`; without one weft writes ${quoted(defaultSliceName(provider.name))}` },
      );
    }
  }
};

import { OFFLOADING_API } from '../../../base/releases/api-versions.ts';
import { sliceUser } from '../../../fleet/certificates/slice-user.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { virtualNodes } from './rest-state.ts';

/**
 * What each slice may use of the provider. How strictly is a value of the provider's chart.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/quotacreator-controller.
 */
export function expectedQuotas(lends: readonly Share[]): readonly Manifest[] {
  return virtualNodes(lends).map(([{ consumer, provider }, slice]) => {
    const user = sliceUser(slice.name, consumer.name);
    return {
      apiVersion: OFFLOADING_API,
      kind: 'Quota',
      metadata: { name: user, namespace: namespaceIn(provider, consumer.name) },
      spec: { resources: slice.resources, user },
    };
  });
}

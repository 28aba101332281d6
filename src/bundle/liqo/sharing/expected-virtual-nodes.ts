import { OFFLOADING_API } from '../../../base/releases/api-versions.ts';
import { REMOTE_CLUSTER_LABEL, RESOURCE_SLICE_LABEL } from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { kubeconfigSecret, sliceIdentity } from './names-of-identities.ts';
import { virtualNodes } from './rest-state.ts';

/**
 * The virtual node of each slice; what the topology adds to it is applied. What comes from the options of the chart is left out: they are read once, when the virtual
 * node is made. Liqo may list a condition twice, in any order.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/virtualnodecreator-controller,
 * pkg/liqo-controller-manager/offloading/virtualnode-controller/condition.go.
 */
export function expectedVirtualNodes(borrows: readonly Share[]): readonly Manifest[] {
  return virtualNodes(borrows).map(([{ consumer, provider }, slice]) => ({
    apiVersion: OFFLOADING_API,
    kind: 'VirtualNode',
    metadata: {
      name: slice.name,
      namespace: namespaceIn(consumer, provider.name),
      labels: { [REMOTE_CLUSTER_LABEL]: provider.name, [RESOURCE_SLICE_LABEL]: slice.name },
    },
    spec: {
      clusterID: provider.name,
      kubeconfigSecretRef: { name: kubeconfigSecret(sliceIdentity(slice)) },
      labels: { [REMOTE_CLUSTER_LABEL]: provider.name },
      resourceQuota: Object.keys(slice.resources).length === 0 ? undefined : { hard: slice.resources },
    },
    status: {
      conditions: [
        ...(slice.virtualNode?.createNode === false ? [] : [{ status: 'Running', type: 'Node' }]),
        { status: 'Running', type: 'VirtualKubelet' },
      ],
    },
  }));
}

import {
  APP_MANAGED_BY_LABEL,
  OFFLOADING_COMPONENT_LABEL,
  REMOTE_CLUSTER_LABEL,
  VIRTUAL_NODE_LABEL,
} from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share, Slice } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { virtualNodes } from './rest-state.ts';

/*
 * What runs the virtual node of a slice. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/virtualnode-controller (virtualkubelet.go), pkg/vkMachinery/forge.
 */

/** Image and arguments are left out: they come from the options of the chart, when the virtual node is made. */
export function expectedDeployments(borrows: readonly Share[]): readonly Manifest[] {
  return virtualNodes(borrows).map(([{ consumer, provider }, slice]) => {
    const labels = {
      [REMOTE_CLUSTER_LABEL]: provider.name,
      [VIRTUAL_NODE_LABEL]: slice.name,
      [OFFLOADING_COMPONENT_LABEL]: 'virtual-kubelet',
    };
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: `vk-${slice.name}`, namespace: namespaceIn(consumer, provider.name), labels },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { serviceAccountName: slice.name } },
      },
    };
  });
}

export function expectedServiceAccounts(borrows: readonly Share[]): readonly Manifest[] {
  return virtualNodes(borrows).map(([{ consumer, provider }, slice]) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: slice.name, namespace: namespaceIn(consumer, provider.name) },
  }));
}

/** What the account may do in its own cluster. */
export const virtualKubeletBindings = (borrows: readonly Share[]): readonly Manifest[] =>
  virtualNodes(borrows).map(virtualKubeletBinding);

const virtualKubeletBinding = ([{ consumer, provider }, slice]: readonly [Share, Slice]): Manifest => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: {
    name: `liqo-node-${slice.name}`,
    labels: { [APP_MANAGED_BY_LABEL]: 'liqo', [REMOTE_CLUSTER_LABEL]: provider.name },
  },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'liqo-virtual-kubelet-local' },
  subjects: [{ kind: 'ServiceAccount', name: slice.name, namespace: namespaceIn(consumer, provider.name) }],
});

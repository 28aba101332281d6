import {
  APP_MANAGED_BY_LABEL,
  AUTHENTICATION_API,
  OFFLOADING_API,
  OFFLOADING_COMPONENT_LABEL,
  REMOTE_CLUSTER_LABEL,
  RESOURCE_SLICE_LABEL,
  VIRTUAL_NODE_LABEL,
} from '../../../base/releases/labels.ts';
import { sliceUser } from '../../../fleet/certificates/distinguished-name.ts';
import { namespaceIn } from '../../../fleet/ipam/addressed-model.ts';
import { type Share, type Slice, sliceIdentity } from '../../../fleet/sharing/shared-model.ts';
import type { Field, Manifest } from '../manifest.ts';
import { lowerResourceSlice } from './lower-sharing.ts';
import { kubeconfigSecret, originalLabels, replicaLabels } from './names.ts';
import { connectedSlices, isAccepted, virtualNodes } from './rest-state.ts';

/**
 * Slices with the answer of their providers in a consumer, and their copies in a provider. Only the requested resources
 * are promised: the provider adds others from values of its own chart, and never removes one. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/remoteresourceslice-controller.
 */
export function expectedResourceSlices(borrows: readonly Share[], lends: readonly Share[]): readonly Manifest[] {
  return [...connectedSlices(borrows).map(original), ...connectedSlices(lends).map(sliceReplica)];
}

const original = ([share, slice]: readonly [Share, Slice]): Manifest => ({
  apiVersion: AUTHENTICATION_API,
  kind: 'ResourceSlice',
  metadata: {
    name: slice.name,
    namespace: namespaceIn(share.consumer, share.provider.name),
    labels: originalLabels(share),
  },
  status: sliceStatus(share, slice),
});

const sliceReplica = ([share, slice]: readonly [Share, Slice]): Manifest => ({
  ...lowerResourceSlice(share, slice),
  metadata: {
    name: slice.name,
    namespace: namespaceIn(share.provider, share.consumer.name),
    labels: replicaLabels(share),
  },
  status: sliceStatus(share, slice),
});

function sliceStatus(share: Share, slice: Slice): Field {
  const authentication = { status: 'Accepted', type: 'Authentication' };
  if (!isAccepted(share, slice)) return { conditions: [authentication] };
  return {
    conditions: [authentication, { status: 'Accepted', type: 'Resources' }],
    resources: Object.keys(slice.resources).length === 0 ? undefined : slice.resources,
  };
}

/**
 * The virtual node of each slice, with the applied settings of the topology. Values from options of the chart are left
 * out: they are read once, when the virtual node is created. Liqo may list a condition twice, in any order. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/virtualnodecreator-controller,
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

/*
 * The Deployment of a slice's virtual kubelet. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/virtualnode-controller (virtualkubelet.go), pkg/vkMachinery/forge.
 */

/**
 * The Deployments of virtual kubelets. Image and arguments are left out: they come from options of the chart when the
 * virtual node is created.
 */
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

/** The rights of the virtual kubelet's account in its own cluster. */
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

/**
 * The quota of each slice in the provider. A value of the provider's chart sets how strictly it is enforced. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/quotacreator-controller.
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

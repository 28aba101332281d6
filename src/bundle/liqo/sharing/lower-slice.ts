import {
  AUTHENTICATION_API,
  CREATE_VIRTUAL_NODE_ANNOTATION,
  OFFLOADING_API,
  REMOTE_CLUSTER_LABEL,
  REMOTE_ID_LABEL,
  REPLICATION_LABEL,
  RESOURCE_SLICE_LABEL,
} from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/addressed-model.ts';
import type { Share, Slice } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';

/**
 * The consumer's request. All three labels are required: without them Liqo does not copy the slice to the provider, and
 * reports no error. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/resourceslice_types.go,
 * internal/crdReplicator.
 */
export function lowerResourceSlice({ consumer, provider }: Share, slice: Slice): Manifest {
  return {
    apiVersion: AUTHENTICATION_API,
    kind: 'ResourceSlice',
    metadata: {
      name: slice.name,
      namespace: namespaceIn(consumer, provider.name),
      labels: {
        [REMOTE_CLUSTER_LABEL]: provider.name,
        [REMOTE_ID_LABEL]: provider.name,
        [REPLICATION_LABEL]: 'true',
      },
      annotations: { [CREATE_VIRTUAL_NODE_ANNOTATION]: 'true' },
    },
    spec: {
      class: slice.class,
      consumerClusterID: consumer.name,
      csr: slice.request ?? undefined,
      providerClusterID: provider.name,
      resources: Object.keys(slice.resources).length === 0 ? undefined : slice.resources,
    },
  };
}

/**
 * The consumer's settings for the virtual node of a slice. Liqo adds the rest of the object from the slice, and keeps
 * these fields; every field that both write has the value that Liqo writes. `undefined` without such settings, and
 * while the provider has not answered, because the virtual kubelet would restart until then. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/forge/virtualnode.go (MutateVirtualNode),
 * pkg/liqo-controller-manager/virtualnodecreator-controller.
 */
export function lowerVirtualNode(
  { consumer, provider, auth, identity }: Share,
  { name, virtualNode }: Slice,
): Manifest | undefined {
  if (virtualNode === null || (auth === 'handshake' && identity === null)) return undefined;
  const { labels, annotations, taints, createNode, networkCheck, runtimeClass } = virtualNode;
  return {
    apiVersion: OFFLOADING_API,
    kind: 'VirtualNode',
    metadata: {
      name,
      namespace: namespaceIn(consumer, provider.name),
      labels: { [REMOTE_CLUSTER_LABEL]: provider.name, [RESOURCE_SLICE_LABEL]: name },
    },
    spec: {
      annotations: Object.keys(annotations).length === 0 ? undefined : annotations,
      clusterID: provider.name,
      createNode: createNode ?? undefined,
      disableNetworkCheck: networkCheck === null ? undefined : !networkCheck,
      kubeconfigSecretRef: { name: `kubeconfig-resourceslice-${name}` },
      labels: { [REMOTE_CLUSTER_LABEL]: provider.name, ...labels },
      offloadingPatch: runtimeClass === null ? undefined : { runtimeClassName: runtimeClass },
      taints: taints.length === 0 ? undefined : taints.map(({ key, value, effect }) => ({ key, value, effect })),
    },
  };
}

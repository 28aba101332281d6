import { AUTHENTICATION_API } from '../../../base/releases/api-versions.ts';
import {
  CREATE_VIRTUAL_NODE_ANNOTATION,
  REMOTE_CLUSTER_LABEL,
  REMOTE_ID_LABEL,
  REPLICATION_LABEL,
} from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share, Slice } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';

/**
 * What the consumer asks for. All three labels are needed: without them Liqo does not copy the slice to the provider, and
 * says nothing.
 * Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/resourceslice_types.go, internal/crdReplicator.
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

import { REMOTE_CLUSTER_LABEL, TENANT_NAMESPACE_LABEL } from '../../base/releases/labels.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { namespaceIn } from '../../fleet/ipam/namespace-in.ts';
import type { Manifest } from './manifest.ts';

/** The namespace for a remote cluster: Liqo finds it by its two labels. */
export function lowerNamespace(cluster: AddressedCluster, remote: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespaceIn(cluster, remote),
      labels: {
        [REMOTE_CLUSTER_LABEL]: remote,
        [TENANT_NAMESPACE_LABEL]: 'true',
        // The gateway pod is privileged, which Pod Security Admission refuses without these labels.
        // Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace/namespaceManager.go.
        'pod-security.kubernetes.io/audit': 'privileged',
        'pod-security.kubernetes.io/enforce': 'privileged',
        'pod-security.kubernetes.io/warn': 'privileged',
      },
    },
  };
}

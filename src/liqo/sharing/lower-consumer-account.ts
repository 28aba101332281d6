import { REMOTE_CLUSTER_LABEL } from '../../releases/labels.ts';
import { tenantNamespace } from '../../releases/tenant-namespace.ts';
import type { Share } from '../../sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';

/**
 * An account in the provider for a consumer that comes with credentials, and the rights that Liqo gives to a consumer with a
 * certificate. A token of this account belongs into the kubeconfig of the consumer.
 * Source: liqotech/liqo@v1.2.0 docs/advanced/peering/peering-via-cr.md,
 * pkg/liqo-controller-manager/authentication/tenant-controller.
 */
export function lowerConsumerAccount({ consumer, auth }: Share): readonly Manifest[] {
  if (auth === 'handshake') return [];
  const namespace = tenantNamespace(consumer.name);
  const name = `consumer-${consumer.name}`;
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: {
        name: 'liqo-binding-liqo-remote-controlplane',
        namespace,
        labels: { [REMOTE_CLUSTER_LABEL]: consumer.name },
      },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}

import { REMOTE_CLUSTER_LABEL } from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';

/**
 * An account in the provider for a consumer that comes with credentials, and the rights that Liqo gives to a consumer with a
 * certificate. A token of this account belongs into the kubeconfig of the consumer. Of one that is drained Liqo deletes the
 * rights, which have the name that it gives to its own, and a tool would give them back.
 * Source: liqotech/liqo@v1.2.0 docs/advanced/peering/peering-via-cr.md,
 * pkg/liqo-controller-manager/authentication/tenant-controller (handleTenantDrained), pkg/tenantNamespace/bindings.go.
 */
export function lowerConsumerAccount({ consumer, provider, auth, condition }: Share): readonly Manifest[] {
  if (auth === 'handshake') return [];
  const namespace = namespaceIn(provider, consumer.name);
  const name = `consumer-${consumer.name}`;
  const account: Manifest = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
  if (condition === 'Drained') return [account];
  return [
    account,
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

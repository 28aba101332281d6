import { APP_MANAGED_BY_LABEL, NAMESPACE_MAP_ANNOTATION, REMOTE_CLUSTER_LABEL } from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { namespaceMapOf, type RemoteNamespace } from './remote-namespaces.ts';
import { isServed } from './rest-state.ts';

/*
 * What a provider lets a consumer do. Source: liqotech/liqo@v1.2.0
 * pkg/tenantNamespace (clusterRoleBinding.go, roleBinding.go), pkg/liqo-controller-manager/offloading/namespacemap-controller.
 */

const RBAC = 'rbac.authorization.k8s.io';

/** The consumer may copy its objects there. One with credentials has an account for that, which git binds. */
export const controlPlaneBindings = (lends: readonly Share[]): readonly Manifest[] =>
  lends
    .filter((it) => isServed(it) && it.auth === 'handshake')
    .map(({ consumer, provider }) => ({
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: {
        name: 'liqo-binding-liqo-remote-controlplane',
        namespace: namespaceIn(provider, consumer.name),
        labels: labelsOf(consumer.name),
      },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: consumer.name }],
    }));

/** Its virtual kubelets may run pods in the namespaces that it offloads. Their certificates name the consumer as group. */
export const remoteNamespaceBindings = (namespaces: readonly RemoteNamespace[]): readonly Manifest[] =>
  namespaces.map(({ share, offloaded }) => ({
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: {
      name: namespaceIn(share.provider, share.consumer.name),
      namespace: offloaded.remoteName,
      labels: labelsOf(share.consumer.name),
      annotations: { [NAMESPACE_MAP_ANNOTATION]: namespaceMapOf(share) },
    },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'liqo-virtual-kubelet-remote' },
    subjects: [{ apiGroup: RBAC, kind: 'Group', name: share.consumer.name }],
  }));

/** And read metrics. */
export const metricsBindings = (lends: readonly Share[]): readonly Manifest[] =>
  lends
    .filter((it) => isServed(it) && (it.auth === 'handshake' || it.provider.traits.bindsConsumersWithCredentials))
    .map(({ consumer }) => ({
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: {
        name: `liqo-binding-liqo-virtual-kubelet-remote-clusterwide-${consumer.name}`,
        labels: labelsOf(consumer.name),
      },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'liqo-virtual-kubelet-remote-clusterwide' },
      subjects: [{ apiGroup: RBAC, kind: 'Group', name: consumer.name }],
    }));

const labelsOf = (consumer: string) => ({ [APP_MANAGED_BY_LABEL]: 'liqo', [REMOTE_CLUSTER_LABEL]: consumer });

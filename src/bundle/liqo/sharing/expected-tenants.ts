import {
  APP_MANAGED_BY_LABEL,
  AUTHENTICATION_API,
  NAMESPACE_MAP_ANNOTATION,
  REMOTE_CLUSTER_LABEL,
} from '../../../base/releases/labels.ts';
import { type AddressedCluster, namespaceIn } from '../../../fleet/ipam/addressed-model.ts';
import type { Partner, Share } from '../../../fleet/sharing/shared-model.ts';
import type { Field, Manifest } from '../manifest.ts';
import { namespaceMapOf, type RemoteNamespace } from './expected-namespaces.ts';
import { aboutConsumer } from './names.ts';
import { acceptedSlices, isConnected, isDraining, isServed } from './rest-state.ts';

/**
 * Tenants with the provider's answer. The certificate is left out: it is signed again at two thirds of its lifetime. So
 * is the CA, which may have zero bytes at its end. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/tenant-controller/tenant_controller.go,
 * cmd/liqo-controller-manager/modules/authentication.go.
 */
export function expectedTenants(lends: readonly Share[]): readonly Manifest[] {
  return lends.filter(isServed).map(({ consumer, provider, identity, auth }) => ({
    apiVersion: AUTHENTICATION_API,
    kind: 'Tenant',
    metadata: aboutConsumer(provider, consumer),
    status: {
      authParams: auth === 'handshake' && identity !== null ? { apiServer: identity.apiServer } : undefined,
      tenantNamespace: namespaceIn(provider, consumer.name),
    },
  }));
}

/**
 * The ForeignCluster of each partner. The states of its API server, tunnels and nodes are left out, because they change
 * without a change in git. A consumer with credentials gets only the role, because releases report it differently.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/core/foreigncluster-controller/status.go.
 */
export function expectedForeignClusters(cluster: AddressedCluster, partners: readonly Partner[]): readonly Manifest[] {
  return partners
    .filter((it) => !isDraining(it))
    .map(workingLoans)
    .filter(({ borrowed, lent }) => borrowed !== null || lent !== null)
    .map((it) => ({
      apiVersion: 'core.liqo.io/v1beta1',
      kind: 'ForeignCluster',
      metadata: { name: it.cluster.name, labels: { [REMOTE_CLUSTER_LABEL]: it.cluster.name } },
      spec: { clusterID: it.cluster.name },
      status: foreignClusterStatus(cluster, it),
    }));
}

const workingLoans = ({ cluster, borrowed, lent }: Partner): Partner => ({
  cluster,
  borrowed: borrowed !== null && isConnected(borrowed) ? borrowed : null,
  lent: lent !== null && isServed(lent) ? lent : null,
});

function foreignClusterStatus(
  cluster: AddressedCluster,
  { cluster: { name: remote }, lent, borrowed }: Partner,
): Field {
  const role = { role: lent && borrowed ? 'ConsumerAndProvider' : lent ? 'Consumer' : 'Provider' };
  const isAllAccepted = borrowed === null || acceptedSlices(borrowed).length === borrowed.slices.length;
  if (borrowed?.auth === 'credentials' || !isAllAccepted) return role;
  return {
    apiServerUrl: borrowed?.identity?.apiServer,
    modules: {
      authentication: {
        conditions: [
          ...(lent ? [{ status: 'Ready', type: 'AuthTenantStatus' }] : []),
          ...(borrowed ? [{ status: 'Ready', type: 'AuthIdentityControlPlaneStatus' }] : []),
        ],
        enabled: true,
      },
      networking: { enabled: cluster.peers.has(remote) },
      offloading: {
        conditions: borrowed ? [{ status: 'Ready', type: 'OffloadingVirtualNodeStatus' }] : undefined,
        enabled: borrowed !== null,
      },
    },
    ...role,
    tenantNamespace: {
      local: namespaceIn(cluster, remote),
      remote: borrowed ? namespaceIn(borrowed.provider, cluster.name) : undefined,
    },
  };
}

/*
 * The API group of a consumer's rights in a provider. Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace
 * (clusterRoleBinding.go, roleBinding.go), pkg/liqo-controller-manager/offloading/namespacemap-controller.
 */

const RBAC = 'rbac.authorization.k8s.io';

/**
 * The right of a consumer to copy its objects to the provider. A consumer with credentials has an account for that,
 * whose binding is in git.
 */
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

/**
 * The right of virtual kubelets to run pods in offloaded namespaces. Their certificates contain the consumer as group.
 */
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

/** The right of virtual kubelets to read metrics. */
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

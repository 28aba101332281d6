import { AUTHENTICATION_API, OFFLOADING_API } from '../../base/releases/labels.ts';
import { type HealthCheckExpr, onceThereIsAStatus } from './flux-health.ts';

/**
 * A tenant is ready when the provider has signed its certificate; without a handshake, when it has a namespace. It has no
 * conditions: what is wrong is in events alone.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/tenant-controller.
 */
const TENANT: HealthCheckExpr = {
  apiVersion: AUTHENTICATION_API,
  kind: 'Tenant',
  current: onceThereIsAStatus(
    "has(status.tenantNamespace) && status.tenantNamespace != ''",
    "(has(status.authParams) || (has(spec.authzPolicy) && spec.authzPolicy == 'TolerateNoHandshake'))",
  ),
};

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/identity-controller. */
const IDENTITY: HealthCheckExpr = {
  apiVersion: AUTHENTICATION_API,
  kind: 'Identity',
  current: onceThereIsAStatus('has(status.kubeconfigSecretRef) && has(status.kubeconfigSecretRef.name)'),
};

const isAccepted = (type: string): string =>
  `status.conditions.exists(it, it.type == '${type}' && it.status == 'Accepted')`;

/**
 * The provider answers twice, about the certificate and about the resources, and the second answer never comes for a class
 * that nobody serves. A status is `Accepted` or `Denied`, neither of which other tools know.
 * Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/resourceslice_types.go.
 */
const RESOURCE_SLICE: HealthCheckExpr = {
  apiVersion: AUTHENTICATION_API,
  kind: 'ResourceSlice',
  failed: onceThereIsAStatus('has(status.conditions)', "status.conditions.exists(it, it.status == 'Denied')"),
  current: onceThereIsAStatus('has(status.conditions)', isAccepted('Authentication'), isAccepted('Resources')),
};

/**
 * Liqo may list a condition several times, in any order, so every one counts. `None` is the node of a virtual node that is
 * to have none.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller/condition.go.
 */
const VIRTUAL_NODE: HealthCheckExpr = {
  apiVersion: OFFLOADING_API,
  kind: 'VirtualNode',
  current: onceThereIsAStatus(
    'has(status.conditions)',
    "status.conditions.exists(it, it.type == 'VirtualKubelet')",
    "status.conditions.all(it, it.status == 'Running' || (it.type == 'Node' && it.status == 'None'))",
  ),
};

/**
 * Every provider that is there and selected has the namespace.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/namespaceoffloading-controller/status.go.
 */
const NAMESPACE_OFFLOADING: HealthCheckExpr = {
  apiVersion: OFFLOADING_API,
  kind: 'NamespaceOffloading',
  failed: onceThereIsAStatus(
    "has(status.offloadingPhase) && (status.offloadingPhase == 'SomeFailed' || status.offloadingPhase == 'AllFailed')",
  ),
  current: onceThereIsAStatus("has(status.offloadingPhase) && status.offloadingPhase == 'Ready'"),
};

/** For the Kustomization of what a cluster lends and borrows. */
export const SHARING_HEALTH: readonly HealthCheckExpr[] = [TENANT, IDENTITY, RESOURCE_SLICE, VIRTUAL_NODE];

/** For that of the namespaces that it offloads. */
export const OFFLOADING_HEALTH: readonly HealthCheckExpr[] = [NAMESPACE_OFFLOADING];

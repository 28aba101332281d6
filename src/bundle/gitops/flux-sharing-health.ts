import { AUTHENTICATION_API, OFFLOADING_API } from '../../base/releases/labels.ts';
import { type HealthCheckExpr, onceThereIsAStatus } from './flux-health.ts';

/**
 * A tenant is ready when the provider has signed its certificate, or without a handshake when it has a namespace. It
 * has no conditions: only events report problems. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/tenant-controller.
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

const acceptedExpression = (type: string): string =>
  `status.conditions.exists(it, it.type == '${type}' && it.status == 'Accepted')`;

/**
 * A slice is ready when the provider has accepted both the certificate and the resources; a class without a controller
 * never gets the second answer. The status is `Accepted` or `Denied`, which other tools do not recognise. Source:
 * liqotech/liqo@v1.2.0 apis/authentication/v1beta1/resourceslice_types.go.
 */
const RESOURCE_SLICE: HealthCheckExpr = {
  apiVersion: AUTHENTICATION_API,
  kind: 'ResourceSlice',
  failed: onceThereIsAStatus('has(status.conditions)', "status.conditions.exists(it, it.status == 'Denied')"),
  current: onceThereIsAStatus(
    'has(status.conditions)',
    acceptedExpression('Authentication'),
    acceptedExpression('Resources'),
  ),
};

/**
 * A virtual node is ready when every condition is good, because Liqo may list a condition several times, in any order.
 * `None` is the status of a node that is not created. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/virtualnode-controller/condition.go.
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
 * Ready when every existing and selected provider has the namespace. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/namespaceoffloading-controller/status.go.
 */
const NAMESPACE_OFFLOADING: HealthCheckExpr = {
  apiVersion: OFFLOADING_API,
  kind: 'NamespaceOffloading',
  failed: onceThereIsAStatus(
    "has(status.offloadingPhase) && (status.offloadingPhase == 'SomeFailed' || status.offloadingPhase == 'AllFailed')",
  ),
  current: onceThereIsAStatus("has(status.offloadingPhase) && status.offloadingPhase == 'Ready'"),
};

/** Health checks for the Kustomization of a cluster's loans. */
export const SHARING_HEALTH: readonly HealthCheckExpr[] = [TENANT, IDENTITY, RESOURCE_SLICE, VIRTUAL_NODE];

/** Health checks for the Kustomization of its offloaded namespaces. */
export const OFFLOADING_HEALTH: readonly HealthCheckExpr[] = [NAMESPACE_OFFLOADING];

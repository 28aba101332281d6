import { AUTHENTICATION_API, NETWORKING_API, OFFLOADING_API, VIEW_ANNOTATIONS } from '../../base/releases/labels.ts';
import type { EntryPointField } from './entry-point.ts';

/**
 * An expression for the health of a kind. Flux treats an object without a Ready condition as healthy at once, and
 * Liqo's objects have none.
 */
export type HealthCheckExpr = { readonly apiVersion: string; readonly kind: string; readonly current: string } & {
  readonly [key: string]: EntryPointField;
};

const isAssigned = (list: string): string =>
  `has(status.remote.cidr.${list}) && status.remote.cidr.${list}.size() == spec.remote.cidr.${list}.size() && ` +
  `status.remote.cidr.${list}.all(it, it != '')`;

/**
 * True after a controller has written the status, which the API server records in `managedFields`. A missing field is
 * an error in CEL, which only the other side of `&&` can absorb, and a new object has no `status`. Without
 * `managedFields`, the expression is evaluated as if there was a status. Source: fluxcd/pkg
 * runtime/cel/status_evaluator.go.
 */
const HAS_STATUS =
  "(!has(metadata.managedFields) || metadata.managedFields.exists(it, has(it.subresource) && it.subresource == 'status'))";

const onceThereIsAStatus = (...facts: readonly string[]): string => [HAS_STATUS, ...facts].join(' && ');

const ANSWERED = onceThereIsAStatus(
  'has(status.remote) && has(status.remote.cidr)',
  isAssigned('pod'),
  isAssigned('external'),
);

/**
 * An expression that is true when the views are as compiled, and also without the annotation, which older versions of
 * weft and liqoctl do not write.
 */
const isAsCompiled = (list: keyof typeof VIEW_ANNOTATIONS): string => {
  const views = `metadata.annotations['${VIEW_ANNOTATIONS[list]}']`;
  return (
    `(!has(metadata.annotations) || !('${VIEW_ANNOTATIONS[list]}' in metadata.annotations) || ` +
    `${views} == status.remote.cidr.${list}.join(','))`
  );
};

const AS_COMPILED = `${isAsCompiled('pod')} && ${isAsCompiled('external')}`;

/** Applies `isSo` to the condition that Liqo has since 1.2. */
const conditionExpression = (isSo: string): string =>
  `(!has(status.conditions) || status.conditions.all(it, it.type != 'NetworkCIDRsConfigured' || ${isSo}))`;

/**
 * A Configuration is ready when the IPAM has assigned every CIDR in it as compiled, and failed when it has assigned
 * another one, because objects that are applied later would get wrong addresses, too. Since Liqo 1.2 a condition
 * reports that all are assigned. Its generation is not compared for the ready state: Liqo never updates it after a
 * change that moves no address, so a check would wait forever. It is compared for the failed state, because a different
 * answer with an older generation belongs to an earlier request. Source: liqotech/liqo
 * pkg/liqo-controller-manager/networking/external-network/configuration/conditions.go and
 * apis/networking/v1beta1/zz_generated.deepcopy.go, v1.2.0.
 */
export const CONFIGURATION_HEALTH: HealthCheckExpr = {
  apiVersion: NETWORKING_API,
  kind: 'Configuration',
  failed: [
    ANSWERED,
    conditionExpression(
      "(it.status == 'True' && (!has(it.observedGeneration) || it.observedGeneration == metadata.generation))",
    ),
    `!(${AS_COMPILED})`,
  ].join(' && '),
  current: [ANSWERED, conditionExpression("it.status == 'True'"), AS_COMPILED].join(' && '),
};

/** A server is ready when it has an address that clients can dial, a client when its gateway has its keys. */
export const GATEWAY_HEALTH: readonly HealthCheckExpr[] = [
  {
    apiVersion: NETWORKING_API,
    kind: 'GatewayServer',
    current: onceThereIsAStatus(
      'has(status.endpoint) && has(status.endpoint.addresses) && status.endpoint.addresses.size() > 0',
    ),
  },
  {
    apiVersion: NETWORKING_API,
    kind: 'GatewayClient',
    current: onceThereIsAStatus('has(status.clientRef) && has(status.secretRef)'),
  },
];

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

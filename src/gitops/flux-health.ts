import { NETWORKING_API } from '../releases/api-versions.ts';
import type { Field } from './entry-point.ts';

/**
 * Flux treats an object without a Ready condition as healthy at once. Liqo's have none, so each needs an expression.
 */
export type HealthCheckExpr = { readonly apiVersion: string; readonly kind: string; readonly current: string } & {
  readonly [key: string]: Field;
};

const isAssigned = (list: string): string =>
  `has(status.remote.cidr.${list}) && status.remote.cidr.${list}.size() == spec.remote.cidr.${list}.size() && ` +
  `status.remote.cidr.${list}.all(it, it != '')`;

/**
 * True once a controller has written the status; the API server records that in `managedFields`. A name that an object
 * does not have is an error in CEL, which only the other side of `&&` can absorb, and a new object has no `status`.
 * Where `managedFields` are left out, the expression is evaluated as if there was a status.
 * Source: fluxcd/pkg runtime/cel/status_evaluator.go.
 */
const HAS_STATUS =
  "(!has(metadata.managedFields) || metadata.managedFields.exists(it, has(it.subresource) && it.subresource == 'status'))";

export const onceThereIsAStatus = (...facts: readonly string[]): string => [HAS_STATUS, ...facts].join(' && ');

/**
 * A Configuration is ready when the IPAM has assigned every CIDR in it. Since Liqo 1.2 a condition reports this, too.
 * The generation in that condition is not compared: Liqo never updates it after a change that moves no address, so a
 * check would wait forever.
 * Source: liqotech/liqo pkg/liqo-controller-manager/networking/external-network/configuration/conditions.go and
 * apis/networking/v1beta1/zz_generated.deepcopy.go, v1.2.0.
 */
export const CONFIGURATION_HEALTH: HealthCheckExpr = {
  apiVersion: NETWORKING_API,
  kind: 'Configuration',
  current: onceThereIsAStatus(
    'has(status.remote) && has(status.remote.cidr)',
    isAssigned('pod'),
    isAssigned('external'),
    "(!has(status.conditions) || status.conditions.all(it, it.type != 'NetworkCIDRsConfigured' || it.status == 'True'))",
  ),
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

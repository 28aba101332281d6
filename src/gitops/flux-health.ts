import { NETWORKING_API } from '../releases/api-versions.ts';
import type { Field } from './entry-point.ts';

/**
 * Flux treats an object without a Ready condition as healthy at once. Liqo's have none, so each needs an expression.
 */
type HealthCheckExpr = { readonly apiVersion: string; readonly kind: string; readonly current: string } & {
  readonly [key: string]: Field;
};

const isAssigned = (list: string): string =>
  `has(status.remote.cidr.${list}) && status.remote.cidr.${list}.size() == spec.remote.cidr.${list}.size() && ` +
  `status.remote.cidr.${list}.all(it, it != '')`;

/**
 * A Configuration is ready when the IPAM has assigned every CIDR in it. Since Liqo 1.2 a condition reports this, too,
 * with the generation of the spec; earlier releases have no conditions.
 * Source: liqotech/liqo pkg/liqo-controller-manager/networking/external-network/configuration/conditions.go, v1.2.0.
 */
export const CONFIGURATION_HEALTH: HealthCheckExpr = {
  apiVersion: NETWORKING_API,
  kind: 'Configuration',
  current: [
    'has(status.remote) && has(status.remote.cidr)',
    isAssigned('pod'),
    isAssigned('external'),
    "(!has(status.conditions) || status.conditions.all(it, it.type != 'NetworkCIDRsConfigured' || " +
      "(it.status == 'True' && (!has(it.observedGeneration) || it.observedGeneration == metadata.generation))))",
  ].join(' && '),
};

/** A server is ready when it has an address that clients can dial, a client when its gateway has its keys. */
export const GATEWAY_HEALTH: readonly HealthCheckExpr[] = [
  {
    apiVersion: NETWORKING_API,
    kind: 'GatewayServer',
    current: 'has(status.endpoint) && has(status.endpoint.addresses) && status.endpoint.addresses.size() > 0',
  },
  {
    apiVersion: NETWORKING_API,
    kind: 'GatewayClient',
    current: 'has(status.clientRef) && has(status.secretRef)',
  },
];

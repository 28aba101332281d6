import { NETWORKING_API } from '../releases/api-versions.ts';
import type { Field } from './entry-point.ts';

/** An object without a Ready condition is healthy at once for Flux, and Liqo's have none: these say when they are. */
export type HealthCheckExpr = { readonly apiVersion: string; readonly kind: string; readonly current: string } & {
  readonly [key: string]: Field;
};

const answered = (list: string): string =>
  `has(status.remote.cidr.${list}) && status.remote.cidr.${list}.size() == spec.remote.cidr.${list}.size() && ` +
  `status.remote.cidr.${list}.all(it, it != '')`;

/**
 * A Configuration is done when the IPAM has answered for every CIDR in it. From Liqo 1.2 on a condition says so too, and
 * whether for the latest spec; releases before have no conditions.
 * Source: liqotech/liqo pkg/liqo-controller-manager/networking/external-network/configuration/conditions.go, v1.2.0.
 */
export const CONFIGURATION_HEALTH: HealthCheckExpr = {
  apiVersion: NETWORKING_API,
  kind: 'Configuration',
  current: [
    'has(status.remote) && has(status.remote.cidr)',
    answered('pod'),
    answered('external'),
    "(!has(status.conditions) || status.conditions.all(it, it.type != 'NetworkCIDRsConfigured' || " +
      "(it.status == 'True' && (!has(it.observedGeneration) || it.observedGeneration == metadata.generation))))",
  ].join(' && '),
};

/** A server is up when it has an address that clients can dial, a client when its gateway has its keys. */
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

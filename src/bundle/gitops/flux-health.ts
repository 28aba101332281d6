import { NETWORKING_API, VIEW_ANNOTATIONS } from '../../base/releases/labels.ts';
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

export const onceThereIsAStatus = (...facts: readonly string[]): string => [HAS_STATUS, ...facts].join(' && ');

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

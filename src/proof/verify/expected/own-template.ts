import type { TemplateSetting } from '../../../base/releases/gateways.ts';
import type { ClusterDeclaration, Gateway, ServiceType } from '../../../fleet/topology/declaration.ts';
import type { ExpectedEnd } from '../expectation.ts';

/** The gateway template of an end that names none: weft's own when the chart's lacks a setting of the topology. */
export const templateNameOf = (end: ExpectedEnd, declared: ClusterDeclaration, servicePort: string): string =>
  needsOwnTemplate(end, declared, servicePort) ? ownTemplateName(end, declared) : `wireguard-${end.role}`;

/**
 * The name of weft's own template. A link needs a separate one when its Service has other settings than those of its
 * cluster: another type, or annotations in a release whose GatewayServer has no field for them.
 */
export function ownTemplateName({ role, peer, link }: ExpectedEnd, cluster: ClusterDeclaration): string {
  const shared = `weft-wireguard-${role}`;
  if (role === 'client') return shared;
  const { gateway, traits } = cluster;
  const { annotations, serviceType } = link.endpoint;
  const usual = new Map([
    ...(gateway.service === 'LoadBalancer' ? Object.entries(gateway.loadBalancerAnnotations) : []),
    ...Object.entries(gateway.serviceAnnotations),
  ]);
  const hasUsual = annotations.size === usual.size && [...annotations].every(([key, it]) => usual.get(key) === it);
  const isUsual = hasUsual || traits.annotatesGatewayServices;
  return isUsual && isSameKind(cluster, serviceType) ? shared : `${shared}-${peer}`;
}

/** True when a Service of this type has the same settings and health check as those of its cluster. */
function isSameKind({ gateway, platform, traits }: ClusterDeclaration, type: ServiceType): boolean {
  const of = (it: ServiceType) => [
    hasLocalPolicy(gateway, it),
    isSpecialBalancer(gateway, it),
    isCheckedByContainer({ platform, traits }, it),
  ];
  return of(type).join() === of(gateway.service).join();
}

/** True when a separate container answers the health checks of a load balancer: on EKS before 1.2. */
export const isCheckedByContainer = (
  { platform, traits }: Pick<ClusterDeclaration, 'platform' | 'traits'>,
  type: ServiceType,
): boolean => platform?.value === 'eks' && type === 'LoadBalancer' && !traits.answersHealthChecksOverHTTP;

const hasLocalPolicy = ({ externalTrafficPolicy }: Gateway, type: ServiceType): boolean =>
  externalTrafficPolicy.value === 'Local' && type !== 'ClusterIP';

const isSpecialBalancer = ({ loadBalancerClass, allocatesNodePorts }: Gateway, type: ServiceType): boolean =>
  type === 'LoadBalancer' && (loadBalancerClass !== null || !allocatesNodePorts);

/**
 * True when the chart's template lacks a setting. Replicas, placement and ping are settings of the pods of both roles.
 * A listen port, and the traffic policy, class and node ports of a load balancer, are settings of a server's Service,
 * as are annotations in releases whose GatewayServer has no field for them.
 */
export function needsOwnTemplate(
  { role, template, link }: ExpectedEnd,
  { gateway, platform, traits }: ClusterDeclaration,
  servicePort: string,
): boolean {
  if (template !== null) return false;
  const { serviceType, annotations } = link.endpoint;
  const service: ServiceOfEnd | null = role === 'client' ? null : { type: serviceType, port: servicePort };
  if (Object.values(DIFFERS).some((differs) => differs(gateway, service))) return true;
  if (service === null) return false;
  return (
    (annotations.size > 0 && !traits.annotatesGatewayServices) ||
    isCheckedByContainer({ platform, traits }, serviceType)
  );
}

/** The Service in front of a server end. */
interface ServiceOfEnd {
  readonly type: ServiceType;
  readonly port: string;
}

/** True when a setting differs from the chart's; `service` is `null` for the end of a client. */
const DIFFERS: { readonly [key in TemplateSetting]: (gateway: Gateway, service: ServiceOfEnd | null) => boolean } = {
  replicas: ({ replicas }) => replicas > 1,
  nodeSelector: ({ nodeSelector }) => Object.keys(nodeSelector).length > 0,
  tolerations: ({ tolerations }) => tolerations.length > 0,
  ping: ({ ping }) => ping !== null,
  listenPort: ({ listenPort }, service) =>
    service !== null && listenPort !== null && String(listenPort) !== service.port,
  externalTrafficPolicy: (gateway, service) => service !== null && hasLocalPolicy(gateway, service.type),
  loadBalancerClass: ({ loadBalancerClass }, service) => service?.type === 'LoadBalancer' && loadBalancerClass !== null,
  allocateLoadBalancerNodePorts: ({ allocatesNodePorts }, service) =>
    service?.type === 'LoadBalancer' && !allocatesNodePorts,
};

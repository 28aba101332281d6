import type { ClusterDeclaration } from '../../topology/declaration.ts';
import type { ExpectedEnd } from '../expectation.ts';

/** The gateway template of an end that names none: weft's own where the chart's lacks a setting of the topology. */
export const templateNameOf = (end: ExpectedEnd, declared: ClusterDeclaration, servicePort: string): string =>
  needsOwnTemplate(end, declared, servicePort) ? ownTemplateName(end, declared) : `wireguard-${end.role}`;

/** Before a GatewayServer has a field for annotations, a link with annotations of its own needs a template of its own. */
export function ownTemplateName({ role, peer, link }: ExpectedEnd, { gateway, traits }: ClusterDeclaration): string {
  const shared = `weft-wireguard-${role}`;
  if (role === 'client' || traits.annotatesGatewayServices) return shared;
  const usual = new Map(Object.entries(gateway.serviceAnnotations));
  const { annotations } = link.endpoint;
  const isUsual = annotations.size === usual.size && [...annotations].every(([key, it]) => usual.get(key) === it);
  return isUsual ? shared : `${shared}-${peer}`;
}

/**
 * Replicas, placement and ping are settings of the pods of both roles; a listen port, the traffic policy, class and node
 * ports of a load balancer and, before a GatewayServer has a field for them, annotations are settings of the Service of a
 * server.
 */
export function needsOwnTemplate(
  { role, template, link }: ExpectedEnd,
  { gateway, traits }: ClusterDeclaration,
  servicePort: string,
): boolean {
  if (template !== null) return false;
  const { replicas, nodeSelector, tolerations, ping, listenPort, service } = gateway;
  if (replicas > 1 || ping !== null || tolerations.length > 0 || Object.keys(nodeSelector).length > 0) return true;
  if (role === 'client') return false;
  if (link.endpoint.annotations.size > 0 && !traits.annotatesGatewayServices) return true;
  const isLocal = gateway.externalTrafficPolicy.value === 'Local' && service !== 'ClusterIP';
  const isSpecial = gateway.loadBalancerClass !== null || !gateway.allocatesNodePorts;
  if (isLocal || (isSpecial && service === 'LoadBalancer')) return true;
  return listenPort !== null && String(listenPort) !== servicePort;
}

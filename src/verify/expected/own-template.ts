import type { ClusterDeclaration } from '../../topology/declaration.ts';
import type { ExpectedEnd } from '../expectation.ts';

/** The gateway template of an end that names none: weft's own where the chart's lacks a setting of the topology. */
export const templateNameOf = (end: ExpectedEnd, declared: ClusterDeclaration, servicePort: string): string =>
  needsOwnTemplate(end, declared, servicePort) ? ownTemplateName(end.role) : `wireguard-${end.role}`;

export const ownTemplateName = (role: ExpectedEnd['role']): string => `weft-wireguard-${role}`;

/**
 * Replicas, placement and ping are settings of the pods of both roles; a listen port and, before a GatewayServer has a
 * field for them, annotations are settings of the Service of a server.
 */
export function needsOwnTemplate(
  { role, template }: ExpectedEnd,
  { gateway, traits }: ClusterDeclaration,
  servicePort: string,
): boolean {
  if (template !== null) return false;
  const { replicas, nodeSelector, tolerations, ping, listenPort, serviceAnnotations } = gateway;
  if (replicas > 1 || ping !== null || tolerations.length > 0 || Object.keys(nodeSelector).length > 0) return true;
  if (role === 'client') return false;
  const isAnnotated = Object.keys(serviceAnnotations).length > 0 && !traits.annotatesGatewayServices;
  return isAnnotated || (listenPort !== null && String(listenPort) !== servicePort);
}

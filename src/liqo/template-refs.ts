import type { AddressedCluster } from '../ipam/addressed-model.ts';
import type { Link, TemplateRef } from '../model/network-model.ts';
import { CHART_TEMPLATES } from '../releases/install-defaults.ts';

export const OUR_SERVER_TEMPLATE = 'weft-wireguard-server';
export const OUR_CLIENT_TEMPLATE = 'weft-wireguard-client';

/** The template of the server end of a link; `cluster` is that end. */
export function serverTemplateRef(cluster: AddressedCluster, link: Link): TemplateRef {
  if (link.templates.server !== null) return link.templates.server;
  return {
    name: asksForServerTemplate(cluster, link) ? OUR_SERVER_TEMPLATE : CHART_TEMPLATES.server,
    namespace: cluster.liqoNamespace,
  };
}

/** The template of the client end of a link; `cluster` is that end. */
export function clientTemplateRef(cluster: AddressedCluster, link: Link): TemplateRef {
  if (link.templates.client !== null) return link.templates.client;
  return {
    name: asksForPodTemplate(cluster) ? OUR_CLIENT_TEMPLATE : CHART_TEMPLATES.client,
    namespace: cluster.liqoNamespace,
  };
}

/** True when some server end of this cluster uses a template of ours. */
export function needsServerTemplate(cluster: AddressedCluster): boolean {
  return [...cluster.peers.values()].some(
    ({ role, link }) => role === 'server' && link.templates.server === null && asksForServerTemplate(cluster, link),
  );
}

/** True when some client end of this cluster uses a template of ours. */
export function needsClientTemplate(cluster: AddressedCluster): boolean {
  return (
    asksForPodTemplate(cluster) &&
    [...cluster.peers.values()].some((it) => it.role === 'client' && it.link.templates.client === null)
  );
}

function asksForServerTemplate(cluster: AddressedCluster, link: Link): boolean {
  const { listenPort, serviceAnnotations } = cluster.gateway;
  const otherPort = listenPort !== null && listenPort !== link.endpoint.servicePort;
  // Since 1.2 the GatewayServer itself carries annotations for its Service.
  const annotated = !cluster.traits.annotatesGatewayServices && Object.keys(serviceAnnotations).length > 0;
  return otherPort || annotated || asksForPodTemplate(cluster);
}

/** True when the gateway's pods, of either role, are not what the chart makes of them. */
function asksForPodTemplate({ gateway }: AddressedCluster): boolean {
  const placed = Object.keys(gateway.nodeSelector).length > 0 || gateway.tolerations.length > 0;
  return gateway.replicas > 1 || placed || gateway.ping !== null;
}

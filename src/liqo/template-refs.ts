import type { AddressedCluster } from '../ipam/addressed-model.ts';
import type { Cluster, Endpoint, Link, LinkEnd, TemplateRef } from '../model/network-model.ts';
import { CHART_TEMPLATES } from '../releases/install-defaults.ts';

export const OUR_SERVER_TEMPLATE = 'weft-wireguard-server';
export const OUR_CLIENT_TEMPLATE = 'weft-wireguard-client';

/** The template of the server end of a link. */
export function serverTemplateRef({ server, endpoint }: Link): TemplateRef {
  const isNeeded = endNeedsServerTemplate(server.cluster, endpoint);
  return server.template ?? inLiqoNamespace(server, isNeeded ? OUR_SERVER_TEMPLATE : CHART_TEMPLATES.server);
}

/** The template of the client end of a link. */
export function clientTemplateRef({ client }: Link): TemplateRef {
  const isNeeded = podsNeedTemplate(client.cluster);
  return client.template ?? inLiqoNamespace(client, isNeeded ? OUR_CLIENT_TEMPLATE : CHART_TEMPLATES.client);
}

const inLiqoNamespace = ({ cluster }: LinkEnd, name: string): TemplateRef => ({
  name,
  namespace: cluster.liqoNamespace,
});

/** True when some server end of this cluster uses a template of ours. */
export function needsServerTemplate(cluster: AddressedCluster): boolean {
  return [...cluster.peers.values()].some(
    ({ role, link }) =>
      role === 'server' && link.server.template === null && endNeedsServerTemplate(cluster, link.endpoint),
  );
}

/** True when some client end of this cluster uses a template of ours. */
export function needsClientTemplate(cluster: AddressedCluster): boolean {
  return (
    podsNeedTemplate(cluster) &&
    [...cluster.peers.values()].some((it) => it.role === 'client' && it.link.client.template === null)
  );
}

function endNeedsServerTemplate(cluster: Cluster, endpoint: Endpoint): boolean {
  const { listenPort, serviceAnnotations } = cluster.gateway;
  const otherPort = listenPort !== null && listenPort !== endpoint.servicePort;
  // Since 1.2 the GatewayServer itself has a field for the annotations of its Service.
  const annotated = !cluster.traits.annotatesGatewayServices && Object.keys(serviceAnnotations).length > 0;
  return otherPort || annotated || podsNeedTemplate(cluster);
}

/** True when the settings of the gateway's pods, of either role, differ from the chart's. */
function podsNeedTemplate({ gateway }: Cluster): boolean {
  const placed = Object.keys(gateway.nodeSelector).length > 0 || gateway.tolerations.length > 0;
  return gateway.replicas > 1 || placed || gateway.ping !== null;
}

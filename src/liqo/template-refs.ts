import { sortedRecord } from '../core/order.ts';
import type { AddressedCluster } from '../ipam/addressed-model.ts';
import type { Annotations, Cluster, Endpoint, Link, LinkEnd, TemplateRef } from '../model/network-model.ts';
import { CHART_TEMPLATES } from '../releases/install-defaults.ts';
import { healthCheckContainers } from './gateway-containers.ts';
import { serviceSettings } from './service-settings.ts';

const OUR_SERVER_TEMPLATE = 'weft-wireguard-server';
export const OUR_CLIENT_TEMPLATE = 'weft-wireguard-client';

/** The template of the server end of a link. */
export function serverTemplateRef(link: Link): TemplateRef {
  const { server } = link;
  return server.template ?? inLiqoNamespace(server, ownServerTemplate(link) ?? CHART_TEMPLATES.server);
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

/** The templates of ours that server ends of this cluster use, by name, with the annotations of the Services made from each. */
export function ownServerTemplates(cluster: AddressedCluster): ReadonlyMap<string, Annotations> {
  const links = [...cluster.peers.values()].filter((it) => it.role === 'server').map((it) => it.link);
  return new Map(
    links.flatMap((it) => {
      const name = it.server.template === null ? ownServerTemplate(it) : undefined;
      return name === undefined ? [] : [[name, annotationsInTemplate(cluster, it.endpoint)] as const];
    }),
  );
}

/** True when some client end of this cluster uses a template of ours. */
export function needsClientTemplate(cluster: AddressedCluster): boolean {
  return (
    podsNeedTemplate(cluster) &&
    [...cluster.peers.values()].some((it) => it.role === 'client' && it.link.client.template === null)
  );
}

/**
 * The template of ours for a server end: one for all links of its cluster, but for a link whose Service has annotations
 * of its own, where only a template has a place for them. `undefined` where the chart's template suffices.
 */
function ownServerTemplate({ server: { cluster }, client, endpoint }: Link): string | undefined {
  const [ofLink, ofCluster] = [endpoint.serviceAnnotations, cluster.gateway.serviceAnnotations];
  const differs = JSON.stringify(sortedRecord(ofLink)) !== JSON.stringify(sortedRecord(ofCluster));
  if (differs && !cluster.traits.annotatesGatewayServices) return `${OUR_SERVER_TEMPLATE}-${client.cluster.name}`;
  return endNeedsServerTemplate(cluster, endpoint) ? OUR_SERVER_TEMPLATE : undefined;
}

function endNeedsServerTemplate(cluster: Cluster, endpoint: Endpoint): boolean {
  const { listenPort } = cluster.gateway;
  const otherPort = listenPort !== null && listenPort !== endpoint.servicePort;
  const annotated = Object.keys(annotationsInTemplate(cluster, endpoint)).length > 0;
  const settings = serviceSettings(cluster).length + healthCheckContainers(cluster).length;
  return otherPort || annotated || settings > 0 || podsNeedTemplate(cluster);
}

/** Since 1.2 the GatewayServer has a field for the annotations of its Service; the same value in two places could differ. */
const annotationsInTemplate = ({ traits }: Cluster, { serviceAnnotations }: Endpoint): Annotations =>
  traits.annotatesGatewayServices ? {} : serviceAnnotations;

/** True when the settings of the gateway's pods, of either role, differ from the chart's. */
function podsNeedTemplate({ gateway }: Cluster): boolean {
  const placed = Object.keys(gateway.nodeSelector).length > 0 || gateway.tolerations.length > 0;
  return gateway.replicas > 1 || placed || gateway.ping !== null;
}

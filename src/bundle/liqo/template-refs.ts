import { sortedRecord } from '../../base/core/collections.ts';
import { CHART_TEMPLATES } from '../../base/releases/install-defaults.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Annotations, Cluster, Endpoint, Link, LinkEnd, TemplateRef } from '../../fleet/model/network-model.ts';
import { serviceAnnotationsOf } from '../../fleet/model/served-port.ts';
import { healthCheckContainers, serviceLines, setsPods, setsServer } from './gateway-settings.ts';

const OUR_SERVER_TEMPLATE = 'weft-wireguard-server';
export const OUR_CLIENT_TEMPLATE = 'weft-wireguard-client';

/** The template of the server end of a link. */
export function serverTemplateRef(link: Link): TemplateRef {
  const { server } = link;
  return server.template ?? inLiqoNamespace(server, ownServerTemplate(link) ?? CHART_TEMPLATES.server);
}

/** The template of the client end of a link. */
export function clientTemplateRef({ client }: Link): TemplateRef {
  const isNeeded = setsPods(client.cluster.gateway);
  return client.template ?? inLiqoNamespace(client, isNeeded ? OUR_CLIENT_TEMPLATE : CHART_TEMPLATES.client);
}

const inLiqoNamespace = ({ cluster }: LinkEnd, name: string): TemplateRef => ({
  name,
  namespace: cluster.liqoNamespace,
});

/** The Services that are created from a template. */
export interface ServicesOfTemplate {
  readonly server: ServiceOfEnd;
  /** Annotations that are in the template. */
  readonly serviceAnnotations: Annotations;
}

/** Weft's own templates for the server ends of this cluster, by name. */
export function ownServerTemplates(cluster: AddressedCluster): ReadonlyMap<string, ServicesOfTemplate> {
  const links = [...cluster.peers.values()].filter((it) => it.role === 'server').map((it) => it.link);
  return new Map(
    links.flatMap((it) => {
      const name = it.server.template === null ? ownServerTemplate(it) : undefined;
      return name === undefined ? [] : [[name, servicesOf(cluster, it.endpoint)] as const];
    }),
  );
}

/** True when a client end of this cluster uses weft's own template. */
export function needsClientTemplate(cluster: AddressedCluster): boolean {
  return (
    setsPods(cluster.gateway) &&
    [...cluster.peers.values()].some((it) => it.role === 'client' && it.link.client.template === null)
  );
}

/**
 * The name of weft's own template for a server end: one for all links of its cluster, except links whose Service needs
 * another: it has annotations that only a template can hold, or another type with other settings. `undefined` when the
 * chart's template suffices.
 */
function ownServerTemplate({ server: { cluster }, client, endpoint }: Link): string | undefined {
  if (!endNeedsServerTemplate(cluster, endpoint)) return undefined;
  const { service } = cluster.gateway;
  const serviceAnnotations = serviceAnnotationsOf(cluster.gateway, service);
  const usual = { ...endpoint, serviceType: service, serviceAnnotations };
  const isUsual = contentOf(cluster, endpoint) === contentOf(cluster, usual);
  return isUsual ? OUR_SERVER_TEMPLATE : `${OUR_SERVER_TEMPLATE}-${client.cluster.name}`;
}

type ServiceOfEnd = Pick<Endpoint, 'serviceType' | 'servicePort' | 'serviceAnnotations'>;

/** The differences between templates of one cluster, as text. */
function contentOf(cluster: Cluster, it: ServiceOfEnd): string {
  const { serviceAnnotations } = servicesOf(cluster, it);
  const containers = healthCheckContainers(cluster, it.serviceType);
  return JSON.stringify([sortedRecord(serviceAnnotations), serviceLines(cluster.gateway, it), containers]);
}

function endNeedsServerTemplate(cluster: Cluster, endpoint: Endpoint): boolean {
  const { gateway } = cluster;
  const isAnnotated = Object.keys(servicesOf(cluster, endpoint).serviceAnnotations).length > 0;
  const isChecked = healthCheckContainers(cluster, endpoint.serviceType).length > 0;
  return setsPods(gateway) || setsServer(gateway, endpoint) || isAnnotated || isChecked;
}

/** Since 1.2 the GatewayServer has a field for its Service's annotations, so the template does not repeat them. */
const servicesOf = ({ traits }: Cluster, server: ServiceOfEnd): ServicesOfTemplate => ({
  server,
  serviceAnnotations: traits.annotatesGatewayServices ? {} : server.serviceAnnotations,
});

import { sortedRecord } from '../../base/core/collections.ts';
import { CHART_TEMPLATES } from '../../base/releases/install-defaults.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type {
  Annotations,
  Cluster,
  Endpoint,
  Link,
  LinkEnd,
  ServiceType,
  TemplateRef,
} from '../../fleet/model/network-model.ts';
import { serviceAnnotationsOf } from '../../fleet/model/served-port.ts';
import { healthCheckContainers } from './gateway-containers.ts';
import { goText, yamlScalar } from './yaml-scalar.ts';

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

/** The Services that are made from a template. */
interface ServicesOfTemplate {
  readonly service: ServiceType;
  /** As far as they are in the template. */
  readonly serviceAnnotations: Annotations;
}

/** The templates of ours that server ends of this cluster use, by name. */
export function ownServerTemplates(cluster: AddressedCluster): ReadonlyMap<string, ServicesOfTemplate> {
  const links = [...cluster.peers.values()].filter((it) => it.role === 'server').map((it) => it.link);
  return new Map(
    links.flatMap((it) => {
      const name = it.server.template === null ? ownServerTemplate(it) : undefined;
      return name === undefined ? [] : [[name, servicesOf(cluster, it.endpoint)] as const];
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
 * The template of ours for a server end: one for all links of its cluster, but for a link whose Service needs another one:
 * it has annotations where only a template has a place for them, or is of another type with other settings. `undefined`
 * where the chart's template suffices.
 */
function ownServerTemplate({ server: { cluster }, client, endpoint }: Link): string | undefined {
  if (!endNeedsServerTemplate(cluster, endpoint)) return undefined;
  const { service } = cluster.gateway;
  const usual = { serviceType: service, serviceAnnotations: serviceAnnotationsOf(cluster.gateway, service) };
  const isUsual = contentOf(cluster, endpoint) === contentOf(cluster, usual);
  return isUsual ? OUR_SERVER_TEMPLATE : `${OUR_SERVER_TEMPLATE}-${client.cluster.name}`;
}

type ServiceOfEnd = Pick<Endpoint, 'serviceType' | 'serviceAnnotations'>;

/** What differs between templates of one cluster, as text. */
function contentOf(cluster: Cluster, it: ServiceOfEnd): string {
  const { serviceAnnotations } = servicesOf(cluster, it);
  return JSON.stringify([sortedRecord(serviceAnnotations), ...settingsOf(cluster, it.serviceType)]);
}

const settingsOf = (cluster: Cluster, service: ServiceType) => [
  serviceSettings(cluster, service),
  healthCheckContainers(cluster, service),
];

function endNeedsServerTemplate(cluster: Cluster, endpoint: Endpoint): boolean {
  const { listenPort } = cluster.gateway;
  const otherPort = listenPort !== null && listenPort !== endpoint.servicePort;
  const annotated = Object.keys(servicesOf(cluster, endpoint).serviceAnnotations).length > 0;
  const isSet = settingsOf(cluster, endpoint.serviceType).some((it) => it.length > 0);
  return otherPort || annotated || isSet || podsNeedTemplate(cluster);
}

/** Since 1.2 the GatewayServer has a field for the annotations of its Service; the same value in two places could differ. */
const servicesOf = ({ traits }: Cluster, { serviceType, serviceAnnotations }: ServiceOfEnd): ServicesOfTemplate => ({
  service: serviceType,
  serviceAnnotations: traits.annotatesGatewayServices ? {} : serviceAnnotations,
});

/** True when the settings of the gateway's pods, of either role, differ from the chart's. */
function podsNeedTemplate({ gateway }: Cluster): boolean {
  const placed = Object.keys(gateway.nodeSelector).length > 0 || gateway.tolerations.length > 0;
  return gateway.replicas > 1 || placed || gateway.ping !== null;
}

/**
 * The lines of the Service of a gateway for which neither a GatewayServer nor the chart's template has a place; none while
 * they are as Kubernetes sets them by itself. Types of Service for which Kubernetes refuses a setting do not get it.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (ValidateService).
 */
export function serviceSettings({ gateway }: Cluster, service: ServiceType): readonly string[] {
  const { externalTrafficPolicy, loadBalancerClass, allocatesNodePorts } = gateway;
  const balanced = service === 'LoadBalancer';
  return [
    ...(service !== 'ClusterIP' && externalTrafficPolicy.value === 'Local' ? ['externalTrafficPolicy: Local'] : []),
    ...(balanced && loadBalancerClass !== null ? [`loadBalancerClass: ${yamlScalar(goText(loadBalancerClass))}`] : []),
    ...(balanced && !allocatesNodePorts ? ['allocateLoadBalancerNodePorts: false'] : []),
  ];
}

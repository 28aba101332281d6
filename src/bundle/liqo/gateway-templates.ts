import { by } from '../../base/core/order.ts';
import { METRICS_PORTS } from '../../base/releases/metrics.ts';
import { render } from '../../base/text/render.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Annotations, ServiceType } from '../../fleet/model/network-model.ts';
import {
  type GatewayMode,
  gatewayArguments,
  geneveArguments,
  healthCheckContainers,
  runsInUserspace,
  wireguardArguments,
} from './gateway-containers.ts';
import { gatewayLabels, SELECTOR_LABELS, SERVICE_SELECTOR_LABELS } from './gateway-labels.ts';
import { gatewayPlacement, yamlEntries } from './gateway-placement.ts';
import { goText } from './go-text.ts';
import { serviceSettings } from './service-settings.ts';
import { needsClientTemplate, OUR_CLIENT_TEMPLATE, ownServerTemplates } from './template-refs.ts';
import { yamlScalar } from './yaml-scalar.ts';

/** A gateway template as one YAML document. */
interface GatewayTemplate {
  readonly name: string;
  readonly text: string;
}

/**
 * The gateway templates that a cluster needs because the chart's cannot be configured as its topology requires. Each is
 * the chart's template of the cluster's release with only those settings changed, in the Liqo namespace.
 *
 * @param annotations of the templates themselves, not of the gateways created from them.
 */
export function gatewayTemplates(cluster: AddressedCluster, annotations: Annotations): readonly GatewayTemplate[] {
  const servers = [...ownServerTemplates(cluster)].sort(by(([name]) => name));
  return [
    ...(needsClientTemplate(cluster) ? [clientTemplate(cluster, annotations)] : []),
    ...servers.map(([name, of]) => serverTemplate(cluster, { name, annotations, ...of })),
  ];
}

interface ServerTemplate {
  readonly name: string;
  readonly annotations: Annotations;
  /** Of the Services created from it. */
  readonly service: ServiceType;
  readonly serviceAnnotations: Annotations;
}

function serverTemplate(cluster: AddressedCluster, it: ServerTemplate): GatewayTemplate {
  const { name, annotations, service, serviceAnnotations } = it;
  const { listenPort } = cluster.gateway;
  const text = render('liqo/wireguard-server-template', {
    name: yamlScalar(name),
    namespace: yamlScalar(cluster.liqoNamespace),
    ownAnnotations: yamlEntries(annotations),
    labels: labelLines(gatewayLabels(cluster)),
    annotations: annotationLines(serviceAnnotations),
    serviceSettings: serviceSettings(cluster, service),
    serviceSelector: labelLines(SERVICE_SELECTOR_LABELS),
    targetPort: listenPort === null ? '"{{ .Spec.Endpoint.Port }}"' : String(listenPort),
    deployment: deploymentText(cluster, 'server', healthCheckContainers(cluster, service)),
  });
  return { name, text };
}

function clientTemplate(cluster: AddressedCluster, annotations: Annotations): GatewayTemplate {
  const text = render('liqo/wireguard-client-template', {
    name: yamlScalar(OUR_CLIENT_TEMPLATE),
    namespace: yamlScalar(cluster.liqoNamespace),
    ownAnnotations: yamlEntries(annotations),
    labels: labelLines(gatewayLabels(cluster)),
    deployment: deploymentText(cluster, 'client', []),
  });
  return { name: OUR_CLIENT_TEMPLATE, text };
}

/** Without its last line break: the template that includes it has one there. */
function deploymentText(
  cluster: AddressedCluster,
  mode: GatewayMode,
  moreContainers: ReturnType<typeof healthCheckContainers>,
): string {
  const { registry, tag } = cluster.image;
  const image = (path: string): string => yamlScalar(goText(`${registry}/${path}:${tag}`));
  const text = render('liqo/gateway-deployment', {
    labels: labelLines(gatewayLabels(cluster)),
    selector: labelLines(SELECTOR_LABELS),
    replicas: String(cluster.gateway.replicas),
    placement: gatewayPlacement(cluster),
    gatewayImage: image('gateway'),
    wireguardImage: image('gateway/wireguard'),
    geneveImage: image('gateway/geneve'),
    gatewayArguments: gatewayArguments(cluster, mode).map(yamlScalar),
    wireguardArguments: wireguardArguments(cluster, mode).map(yamlScalar),
    geneveArguments: geneveArguments(cluster).map(yamlScalar),
    runsInUserspace: runsInUserspace(cluster),
    moreContainers,
    gatewayMetrics: metricsPort(cluster, 'gateway'),
    wireguardMetrics: metricsPort(cluster, 'wireguard'),
    geneveMetrics: metricsPort(cluster, 'geneve'),
  });
  return text.trimEnd();
}

function metricsPort({ monitoring }: AddressedCluster, container: keyof typeof METRICS_PORTS): readonly string[] {
  const { port, name } = METRICS_PORTS[container];
  return monitoring === null ? [] : [`- containerPort: ${port}`, `  name: ${name}`];
}

function annotationLines(annotations: Annotations): readonly string[] {
  const entries = yamlEntries(annotations);
  return entries.length === 0 ? [] : ['annotations:', ...entries.map((it) => `  ${it}`)];
}

/** Our own labels: their `{{ }}` are for Liqo and not escaped, and their order is that of the chart. */
const labelLines = (labels: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(labels).map(([key, value]) => `${key}: ${yamlScalar(value)}`);

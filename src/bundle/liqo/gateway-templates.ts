import { sortedEntries } from '../../base/core/collections.ts';
import { METRICS_PORTS } from '../../base/releases/gateways.ts';
import {
  COMPONENT_LABEL,
  GATEWAY_ACTIVE_LABEL,
  GATEWAY_NAME_LABEL,
  GATEWAY_NAMESPACE_LABEL,
} from '../../base/releases/labels.ts';
import { render } from '../../base/text/render.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Annotations } from '../../fleet/model/network-model.ts';
import {
  type GatewayMode,
  gatewayArguments,
  geneveArguments,
  goText,
  healthCheckContainers,
  isReplicated,
  needsClientTemplate,
  OUR_CLIENT_TEMPLATE,
  ownServerTemplates,
  podLines,
  runsInUserspace,
  type ServicesOfTemplate,
  serviceLines,
  wireguardArguments,
  yamlEntries,
  yamlScalar,
} from './gateway-settings.ts';

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
  const servers = sortedEntries(ownServerTemplates(cluster));
  return [
    ...(needsClientTemplate(cluster) ? [clientTemplate(cluster, annotations)] : []),
    ...servers.map(([name, of]) => serverTemplate(cluster, { name, annotations, ...of })),
  ];
}

interface ServerTemplate extends ServicesOfTemplate {
  readonly name: string;
  readonly annotations: Annotations;
}

function serverTemplate(cluster: AddressedCluster, it: ServerTemplate): GatewayTemplate {
  const { name, annotations, server, serviceAnnotations } = it;
  const { listenPort } = cluster.gateway;
  const text = render('liqo/wireguard-server-template', {
    name: yamlScalar(name),
    namespace: yamlScalar(cluster.liqoNamespace),
    ownAnnotations: yamlEntries(annotations),
    labels: labelLines(gatewayLabels(cluster)),
    annotations: annotationLines(serviceAnnotations),
    serviceSettings: serviceLines(cluster.gateway, server),
    serviceSelector: labelLines(SERVICE_SELECTOR_LABELS),
    targetPort: listenPort === null ? '"{{ .Spec.Endpoint.Port }}"' : String(listenPort),
    deployment: deploymentText(cluster, 'server', healthCheckContainers(cluster, server.serviceType)),
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
    placement: podLines(cluster.gateway),
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

type TemplateLabels = Readonly<Record<string, string>>;

/**
 * The labels by which the Deployment selects its pods. A Deployment's selector is immutable, so it equals the chart's:
 * then a gateway can change from the chart's template to ours and back.
 * Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/_helpers.tpl (liqo.selectorTemplate), the same since v1.0.0.
 */
const SELECTOR_LABELS: TemplateLabels = {
  'app.kubernetes.io/name': '{{ .Name }}',
  'app.kubernetes.io/instance': 'liqo-{{ .Name }}',
  'app.kubernetes.io/component': 'networking',
  'app.kubernetes.io/part-of': 'liqo',
  'app.kubernetes.io/managed-by': 'Helm',
  [COMPONENT_LABEL]: 'gateway',
  [GATEWAY_NAME_LABEL]: '{{ .Name }}',
  [GATEWAY_NAMESPACE_LABEL]: '{{ .Namespace }}',
};

/** The labels by which the Service selects the active pod of the Deployment. */
const SERVICE_SELECTOR_LABELS: TemplateLabels = { ...SELECTOR_LABELS, [GATEWAY_ACTIVE_LABEL]: 'true' };

/** TemplateLabels of every object that a gateway template creates. */
function gatewayLabels(cluster: AddressedCluster): TemplateLabels {
  const { tag } = cluster.image;
  // A single pod is active from the start. Before 1.1, and with several pods, the elected leader sets the label on
  // itself.
  const active = cluster.traits.labelsSingleGatewayActive && !isReplicated(cluster);
  return {
    ...SELECTOR_LABELS,
    'helm.sh/chart': labelValue(`liqo-${tag}`),
    'app.kubernetes.io/version': labelValue(tag),
    ...(active ? { [GATEWAY_ACTIVE_LABEL]: 'true' } : {}),
  };
}

/**
 * An image tag may exceed the 63 characters of a label value and end in a character that a label value must not end in.
 */
const labelValue = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(0, 63)
    .replace(/[._-]+$/, '');

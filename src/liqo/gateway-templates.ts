import type { AddressedCluster } from '../ipam/addressed-model.ts';
import { render } from '../text/render.ts';
import { type GatewayMode, gatewayArguments, geneveArguments, wireguardArguments } from './gateway-containers.ts';
import { gatewayLabels, SELECTOR_LABELS, SERVICE_SELECTOR_LABELS } from './gateway-labels.ts';
import { gatewayPlacement, yamlEntries } from './gateway-placement.ts';
import { goText } from './go-text.ts';
import { needsClientTemplate, needsServerTemplate, OUR_CLIENT_TEMPLATE, OUR_SERVER_TEMPLATE } from './template-refs.ts';
import { yamlScalar } from './yaml-scalar.ts';

/** A gateway template as one YAML document. */
export interface GatewayTemplate {
  readonly name: string;
  readonly text: string;
}

type Annotations = Readonly<Record<string, string>>;

/**
 * The gateway templates that a cluster needs because the chart's do not know what its topology asks for. Each is the
 * chart's template of the cluster's release with only that changed. They lie in the Liqo namespace.
 *
 * @param annotations of the templates themselves, not of the gateways made from them.
 */
export function gatewayTemplates(cluster: AddressedCluster, annotations: Annotations): readonly GatewayTemplate[] {
  return [
    ...(needsClientTemplate(cluster) ? [clientTemplate(cluster, annotations)] : []),
    ...(needsServerTemplate(cluster) ? [serverTemplate(cluster, annotations)] : []),
  ];
}

function serverTemplate(cluster: AddressedCluster, annotations: Annotations): GatewayTemplate {
  const { listenPort } = cluster.gateway;
  const text = render('liqo/wireguard-server-template', {
    name: yamlScalar(OUR_SERVER_TEMPLATE),
    namespace: yamlScalar(cluster.liqoNamespace),
    ownAnnotations: yamlEntries(annotations),
    labels: labelLines(gatewayLabels(cluster)),
    annotations: annotationLines(cluster),
    serviceSelector: labelLines(SERVICE_SELECTOR_LABELS),
    targetPort: listenPort === null ? '"{{ .Spec.Endpoint.Port }}"' : String(listenPort),
    deployment: deploymentText(cluster, 'server'),
  });
  return { name: OUR_SERVER_TEMPLATE, text };
}

function clientTemplate(cluster: AddressedCluster, annotations: Annotations): GatewayTemplate {
  const text = render('liqo/wireguard-client-template', {
    name: yamlScalar(OUR_CLIENT_TEMPLATE),
    namespace: yamlScalar(cluster.liqoNamespace),
    ownAnnotations: yamlEntries(annotations),
    labels: labelLines(gatewayLabels(cluster)),
    deployment: deploymentText(cluster, 'client'),
  });
  return { name: OUR_CLIENT_TEMPLATE, text };
}

/** Without its last line break: the template it goes into has one there. */
function deploymentText(cluster: AddressedCluster, mode: GatewayMode): string {
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
  });
  return text.trimEnd();
}

/** Since 1.2 a GatewayServer has a field for them, and two places for one value would only disagree some day. */
function annotationLines({ traits, gateway }: AddressedCluster): readonly string[] {
  const entries = yamlEntries(gateway.serviceAnnotations);
  if (entries.length === 0 || traits.annotatesGatewayServices) return [];
  return ['annotations:', ...entries.map((it) => `  ${it}`)];
}

/** Our own labels: their `{{ }}` are meant, and their order is the chart's. */
const labelLines = (labels: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(labels).map(([key, value]) => `${key}: ${yamlScalar(value)}`);

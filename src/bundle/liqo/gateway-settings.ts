import { sortedRecord } from '../../base/core/collections.ts';
import { withFewestEscapes } from '../../base/core/words.ts';
import {
  GENEVE_PORT,
  HEALTH_PROBE_PORTS,
  LIQO_PING,
  METRICS_PORTS,
  type TEMPLATE_SETTINGS,
  type TemplateSetting,
} from '../../base/releases/gateways.ts';
import { CHART_TEMPLATES } from '../../base/releases/install-defaults.ts';
import { GATEWAY_NAME_LABEL, MANAGED_LABEL } from '../../base/releases/labels.ts';
import { HEALTH_CHECK_CONTAINER } from '../../base/releases/platforms.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type {
  Annotations,
  Cluster,
  Endpoint,
  Gateway,
  Link,
  LinkEnd,
  ServiceType,
  TemplateRef,
  Toleration,
} from '../../fleet/model/network-model.ts';
import { serviceAnnotationsOf } from '../../fleet/model/served-port.ts';

/** A setting in a gateway template of weft. */
interface Setting<Arguments extends readonly unknown[]> {
  /** True where the chart's template does not have it. */
  readonly isSet: (...it: Arguments) => boolean;
  /** Lines of YAML, where it is set. */
  readonly lines: (...it: Arguments) => readonly string[];
}

type Server = Pick<Endpoint, 'serviceType' | 'servicePort'>;

type SettingsOf<End, Arguments extends readonly unknown[]> = {
  readonly [key in TemplateSetting as (typeof TEMPLATE_SETTINGS)[key] extends End ? key : never]: Setting<Arguments>;
};

/** Settings of the pods of both ends, with lines of their specification, in the order of the template. */
const OF_PODS: SettingsOf<'pods', [Gateway]> = {
  nodeSelector: {
    isSet: ({ nodeSelector }) => Object.keys(nodeSelector).length > 0,
    lines: ({ nodeSelector }) => ['nodeSelector:', ...yamlEntries(nodeSelector).map((it) => `  ${it}`)],
  },
  // Replicas of one gateway run on different nodes, so that the failure of one node stops only one of them.
  replicas: {
    isSet: ({ replicas }) => replicas > 1,
    lines: () => [
      'affinity:',
      '  podAntiAffinity:',
      '    requiredDuringSchedulingIgnoredDuringExecution:',
      '      - labelSelector:',
      '          matchLabels:',
      `            ${GATEWAY_NAME_LABEL}: "{{ .Name }}"`,
      '        topologyKey: kubernetes.io/hostname',
    ],
  },
  tolerations: {
    isSet: ({ tolerations }) => tolerations.length > 0,
    lines: ({ tolerations }) => ['tolerations:', ...tolerations.flatMap(tolerationLines).map((it) => `  ${it}`)],
  },
  // It is in the arguments of the containers.
  ping: { isSet: ({ ping }) => ping !== null, lines: () => [] },
};

/**
 * Settings of a server, with lines of its Service; none while they are as Kubernetes sets them by itself. Types of Service for
 * which Kubernetes refuses a setting do not get it.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (ValidateService).
 */
const OF_SERVERS: SettingsOf<'server', [Gateway, Server]> = {
  externalTrafficPolicy: {
    isSet: ({ externalTrafficPolicy }, { serviceType }) =>
      serviceType !== 'ClusterIP' && externalTrafficPolicy.value === 'Local',
    lines: () => ['externalTrafficPolicy: Local'],
  },
  loadBalancerClass: {
    isSet: ({ loadBalancerClass }, { serviceType }) => serviceType === 'LoadBalancer' && loadBalancerClass !== null,
    lines: ({ loadBalancerClass }) => [`loadBalancerClass: ${yamlScalar(goText(loadBalancerClass ?? ''))}`],
  },
  allocateLoadBalancerNodePorts: {
    isSet: ({ allocatesNodePorts }, { serviceType }) => serviceType === 'LoadBalancer' && !allocatesNodePorts,
    lines: () => ['allocateLoadBalancerNodePorts: false'],
  },
  // It is the target of the port, and in the arguments of the containers.
  listenPort: {
    isSet: ({ listenPort }, { servicePort }) => listenPort !== null && listenPort !== servicePort,
    lines: () => [],
  },
};

/** True when the settings of the gateway's pods, of either role, differ from the chart's. */
const setsPods = (gateway: Gateway): boolean => Object.values(OF_PODS).some((it) => it.isSet(gateway));

/** The lines of a gateway's pod spec that the chart's template does not have. */
export const podLines = (gateway: Gateway): readonly string[] =>
  Object.values(OF_PODS).flatMap((it) => (it.isSet(gateway) ? it.lines(gateway) : []));

/** True when the settings of a server differ from the chart's. */
const setsServer = (gateway: Gateway, server: Server): boolean =>
  Object.values(OF_SERVERS).some((it) => it.isSet(gateway, server));

/** The lines of the Service of a gateway for which neither a GatewayServer nor the chart's template has a place. */
export const serviceLines = (gateway: Gateway, server: Server): readonly string[] =>
  Object.values(OF_SERVERS).flatMap((it) => (it.isSet(gateway, server) ? it.lines(gateway, server) : []));

function tolerationLines({ key, operator, value, effect, tolerationSeconds }: Toleration): readonly string[] {
  const members = [
    ...[{ key }, { operator }, { value }, { effect }].flatMap((it) => yamlEntries(it)),
    ...(tolerationSeconds === undefined ? [] : [`tolerationSeconds: ${tolerationSeconds}`]),
  ];
  // An empty toleration is kept as `{}`, so that the list has as many entries as in the topology.
  return members.length === 0 ? ['- {}'] : members.map((it, index) => `${index === 0 ? '- ' : '  '}${it}`);
}

// The arguments of the three containers of a gateway pod, as in the chart of each release with default values.
// Liqo replaces `{{ }}` when it renders the template.
// Source: liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0
// deployments/liqo/templates/liqo-wireguard-gateway-{server,client}-template.yaml and deployments/liqo/values.yaml.

export type GatewayMode = 'server' | 'client';

const IDENTITY = ['--name={{ .Name }}', '--namespace={{ .Namespace }}', '--remote-cluster-id={{ .ClusterID }}'];
const POD = ['--node-name=$(NODE_NAME)', '--pod-name=$(POD_NAME)'];
const OWNER = ['--gateway-uid={{ .GatewayUID }}'];

/** Arguments of the container that checks the tunnel and programs routes and NAT. */
export function gatewayArguments(cluster: AddressedCluster, mode: GatewayMode): readonly string[] {
  const ping = cluster.gateway.ping ?? LIQO_PING;
  return [
    ...IDENTITY,
    ...POD,
    ...OWNER,
    `--mode=${mode}`,
    '--container-name=gateway',
    '--concurrent-containers-names=wireguard,geneve',
    // The chart's `common.globalLabels`: the labels of objects that the gateway creates at run time.
    `--global-labels=${MANAGED_LABEL}=true`,
    ...metrics(cluster, 'gateway'),
    `--health-probe-bind-address=:${HEALTH_PROBE_PORTS.gateway}`,
    `--ping-enabled=${ping.enabled}`,
    `--ping-loss-threshold=${ping.lossThreshold}`,
    `--ping-interval=${goText(ping.interval)}`,
    `--ping-update-status-interval=${goText(ping.updateStatusInterval)}`,
    // Before 1.1 this container always takes part in leader election: only the leader has the label that the Service
    // selects.
    `--leader-election=${!cluster.traits.labelsSingleGatewayActive || isReplicated(cluster)}`,
    ...(cluster.traits.monitorsRulesAndRoutes ? ['--enable-nft-monitor=true', '--enable-route-monitor=true'] : []),
  ];
}

/** Arguments of the container that runs the tunnel. */
export function wireguardArguments(cluster: AddressedCluster, mode: GatewayMode): readonly string[] {
  return [
    ...IDENTITY,
    ...OWNER,
    `--mode=${mode}`,
    '--container-name=wireguard',
    '--mtu={{ .Spec.MTU }}',
    ...(mode === 'server'
      ? [`--listen-port=${cluster.gateway.listenPort ?? '{{ .Spec.Endpoint.Port }}'}`]
      : ['--endpoint-address={{ index .Spec.Endpoint.Addresses 0 }}', '--endpoint-port={{ .Spec.Endpoint.Port }}']),
    ...metrics(cluster, 'wireguard'),
    `--health-probe-bind-address=:${HEALTH_PROBE_PORTS.wireguard}`,
    ...leaderElection(cluster),
    `--implementation=${runsInUserspace(cluster) ? 'userspace' : 'kernel'}`,
    ...(mode === 'server' && cluster.traits.preservesClientEndpoint ? ['--preserve-client-endpoint=true'] : []),
  ];
}

/**
 * Arguments of the container that connects the pod to the nodes' overlay: its mode is `server` in both kinds of
 * gateway.
 */
export function geneveArguments(cluster: AddressedCluster): readonly string[] {
  return [
    ...IDENTITY,
    ...POD,
    ...OWNER,
    '--mode=server',
    '--container-name=geneve',
    `--geneve-port=${GENEVE_PORT}`,
    ...metrics(cluster, 'geneve'),
    `--health-probe-bind-address=:${HEALTH_PROBE_PORTS.geneve}`,
    ...leaderElection(cluster),
  ];
}

/** liqoctl does so on OpenShift; the container is then privileged. Source: pkg/liqoctl/install/openshift/provider.go */
export const runsInUserspace = ({ platform }: Cluster): boolean => platform?.value === 'openshift';

/**
 * The container that an AWS load balancer checks instead of the tunnel, which is UDP. Since 1.2 it checks the gateway.
 * Source: liqotech/liqo@v1.1.2 deployments/liqo/templates/liqo-wireguard-gateway-server-template-eks.yaml.
 */
export function healthCheckContainers(
  { platform, traits }: Cluster,
  service: ServiceType,
): readonly (typeof HEALTH_CHECK_CONTAINER)[] {
  const isChecked = platform?.value === 'eks' && service === 'LoadBalancer';
  return isChecked && !traits.answersHealthChecksOverHTTP ? [HEALTH_CHECK_CONTAINER] : [];
}

const metrics = ({ monitoring }: AddressedCluster, container: keyof typeof METRICS_PORTS): readonly string[] =>
  monitoring === null ? [] : [`--metrics-address=:${METRICS_PORTS[container].port}`];

/** With several replicas only one pod is active, so all of its containers take part in leader election. */
export const isReplicated = ({ gateway }: AddressedCluster): boolean => gateway.replicas > 1;

/** The flag of the two containers for which the chart sets it only since 1.1; they accept it before 1.1, too. */
function leaderElection(cluster: AddressedCluster): readonly string[] {
  const replicated = isReplicated(cluster);
  return replicated || cluster.traits.setsElectionInEveryContainer ? [`--leader-election=${replicated}`] : [];
}

/**
 * A string as a quoted YAML scalar on one line, for templates. It has the same meaning in YAML 1.1 and 1.2: characters
 * that JSON leaves unescaped but a YAML reader refuses or reads as a line break are escaped, too.
 */
export function yamlScalar(text: string): string {
  const quoted = JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return withFewestEscapes(quoted);
}

/**
 * Text escaped so that Go's text/template prints it unchanged. Liqo renders every string of a gateway template, also
 * those from the topology.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/utils/template.go.
 */
export const goText = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');

/**
 * `key: "value"` lines sorted by key, escaped for YAML and for Go's templates; members that are `undefined` are left
 * out.
 */
export function yamlEntries(record: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = Object.entries(record).filter((it): it is [string, string] => it[1] !== undefined);
  return Object.entries(sortedRecord(Object.fromEntries(known))).map(
    ([key, value]) => `${yamlScalar(key)}: ${yamlScalar(goText(value))}`,
  );
}

const OUR_SERVER_TEMPLATE = 'weft-wireguard-server';
export const OUR_CLIENT_TEMPLATE = 'weft-wireguard-client';

export function serverTemplateRef(link: Link): TemplateRef {
  const { server } = link;
  return server.template ?? inLiqoNamespace(server, ownServerTemplate(link) ?? CHART_TEMPLATES.server);
}

export function clientTemplateRef({ client }: Link): TemplateRef {
  const isNeeded = setsPods(client.cluster.gateway);
  return client.template ?? inLiqoNamespace(client, isNeeded ? OUR_CLIENT_TEMPLATE : CHART_TEMPLATES.client);
}

const inLiqoNamespace = ({ cluster }: LinkEnd, name: string): TemplateRef => ({
  name,
  namespace: cluster.liqoNamespace,
});

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

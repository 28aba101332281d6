import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { TemplateSetting } from '../../../base/releases/gateways.ts';
import { type DocumentNode, type DocumentPath, nodeAt } from '../../../base/source/document-node.ts';
import type { Annotations, ClusterDeclaration, Gateway, ServiceType } from '../../../fleet/topology/declaration.ts';
import type { ExpectedCluster } from '../expectation.ts';
import { isCheckedByContainer, ownTemplateName } from '../expected/own-template.ts';
import { type KubeObject, textsAt } from '../kube-object.ts';
import { objectsIn } from '../read-bundle.ts';
import { compareParts, forEachCluster, type Part } from './bundle-check.ts';
import { isAsInTheChart } from './templates-are-the-charts.ts';

type Role = 'server' | 'client';

/**
 * A gateway template of a bundle has the settings of the topology, and equals the chart's in all others.
 * Source: liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0
 * deployments/liqo/templates/liqo-wireguard-gateway-{server,client}-template.yaml.
 */
export const templatesImplementSettings = forEachCluster(function* ({ bundle }, { name, expected }) {
  for (const [path, objects] of objectsIn(bundle, `${name}/gateway-templates`)) {
    for (const it of objects) {
      const role = roleOf(it);
      if (!role) continue;
      const template = { role, cluster: expected.declared, ...servicesOf(it, expected) };
      yield* checkTemplate(it, fileName(path), template);
    }
  }
});

/** The name of a file without its folder and its ending, which is the name of the object in it. */
const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.yaml'.length);

const roleOf = ({ kind }: KubeObject): Role | undefined =>
  kind === 'WgGatewayServerTemplate' ? 'server' : kind === 'WgGatewayClientTemplate' ? 'client' : undefined;

// Paths inside a template.
const GATEWAY = ['spec', 'template', 'spec'];
const DEPLOYMENT = [...GATEWAY, 'deployment', 'spec'];
const POD = [...DEPLOYMENT, 'template', 'spec'];
const CONTAINERS = [...POD, 'containers'];
const POD_LABELS = [...DEPLOYMENT, 'template', 'metadata', 'labels'];
const ACTIVE = 'networking.liqo.io/active';

/**
 * The settings of Services made from a template: those of the link that owns the template, otherwise those of the
 * cluster.
 */
function servicesOf({ name }: KubeObject, { declared, ends }: ExpectedCluster) {
  const { gateway, traits } = declared;
  const of = [...ends.values()].find((it) => it.role === 'server' && ownTemplateName(it, declared) === name);
  const ofBalancers = gateway.service === 'LoadBalancer' ? gateway.loadBalancerAnnotations : {};
  const usual = { ...ofBalancers, ...gateway.serviceAnnotations };
  const annotations = of ? Object.fromEntries(of.link.endpoint.annotations) : usual;
  return {
    type: of?.link.endpoint.serviceType ?? gateway.service,
    annotations: traits.annotatesGatewayServices ? {} : annotations,
  };
}

interface Template {
  readonly role: Role;
  readonly cluster: ClusterDeclaration;
  readonly type: ServiceType;
  readonly annotations: Annotations;
}

function* checkTemplate(
  object: KubeObject,
  file: string,
  { role, cluster, type, annotations }: Template,
): Iterable<Diagnostic> {
  const { node, name } = object;
  const { gateway, traits } = cluster;
  const what = `the template "${name}" of "${cluster.name}"`;
  const isReplicated = gateway.replicas > 1;
  yield* compareParts({ code: 'verify/template', what, node }, [
    [['apiVersion'], 'networking.liqo.io/v1beta1'],
    [['metadata', 'name'], file],
    [['metadata', 'namespace'], cluster.liqoNamespace],
    [['spec', 'objectKind', 'kind'], role === 'server' ? 'WgGatewayServer' : 'WgGatewayClient'],
    [['spec', 'template', 'metadata', 'name'], '{{ .Name }}'],
    [['spec', 'template', 'metadata', 'namespace'], '{{ .Namespace }}'],
    [[...DEPLOYMENT, 'strategy'], { type: 'Recreate' }],
    ...Object.values(WRITTEN).flatMap((it) => it(gateway, role === 'server' ? type : null)),
    // A single pod is active from the start; among several pods, the elected leader sets the label on itself.
    [[...POD_LABELS, ACTIVE], traits.labelsSingleGatewayActive && !isReplicated ? 'true' : undefined],
    ...(role === 'server' ? serviceOf(annotations) : [[[...GATEWAY, 'service'], undefined] as const]),
  ]);
  yield* checkSelectedLabels(node, what, role);
  yield* templateContainers(node, what, { role, cluster, type });
  yield* isAsInTheChart(object, { what, cluster, service: role === 'server' ? type : null });
}

type Wanted = readonly [path: readonly string[], value: Part];

const SERVICE = [...GATEWAY, 'service'];

/** The place and the required value of each setting in a template; the type of the Service is `null` for a client. */
const WRITTEN: {
  readonly [key in TemplateSetting]: (gateway: Gateway, type: ServiceType | null) => readonly Wanted[];
} = {
  replicas: ({ replicas }) => [
    [[...DEPLOYMENT, 'replicas'], replicas],
    [[...POD, 'affinity'], replicas > 1 ? APART : undefined],
  ],
  nodeSelector: ({ nodeSelector }) => [[[...POD, 'nodeSelector'], whenAny(literals(nodeSelector))]],
  tolerations: ({ tolerations }) => [
    [[...POD, 'tolerations'], tolerations.length > 0 ? tolerations.map(literals) : undefined],
  ],
  // In the arguments of a container: see `templateContainers`.
  ping: () => [],
  listenPort: ({ listenPort }, type) => {
    const port = {
      port: '{{ .Spec.Endpoint.Port }}',
      protocol: 'UDP',
      targetPort: listenPort ?? '{{ .Spec.Endpoint.Port }}',
      '?nodePort': '{{ .Spec.Endpoint.NodePort }}',
    };
    return inService(type, 'ports', [port]);
  },
  // Kubernetes refuses these for other types of Service. Its defaults are `Cluster`, no class and `true`.
  externalTrafficPolicy: ({ externalTrafficPolicy: { value } }, type) =>
    inService(type, 'externalTrafficPolicy', value === 'Local' && type !== 'ClusterIP' ? 'Local' : undefined),
  loadBalancerClass: ({ loadBalancerClass: name }, type) =>
    inService(type, 'loadBalancerClass', type === 'LoadBalancer' && name !== null ? literal(name) : undefined),
  allocateLoadBalancerNodePorts: ({ allocatesNodePorts }, type) =>
    inService(
      type,
      'allocateLoadBalancerNodePorts',
      type === 'LoadBalancer' && !allocatesNodePorts ? false : undefined,
    ),
};

/** A member of the Service of a server. */
const inService = (type: ServiceType | null, key: string, value: Part): readonly Wanted[] =>
  type === null ? [] : [[[...SERVICE, 'spec', key], value]];

/** Replicas of one gateway run on different nodes. */
const APART: Part = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      {
        labelSelector: { matchLabels: { 'networking.liqo.io/gateway-name': '{{ .Name }}' } },
        topologyKey: 'kubernetes.io/hostname',
      },
    ],
  },
};

function serviceOf(annotations: Annotations): readonly Wanted[] {
  return [
    [[...SERVICE, 'metadata', 'annotations'], whenAny(literals(annotations))],
    [[...SERVICE, 'spec', 'type'], '{{ .Spec.Endpoint.ServiceType }}'],
    [[...SERVICE, 'spec', '?loadBalancerIP'], '{{ .Spec.Endpoint.LoadBalancerIP }}'],
    [[...SERVICE, 'spec', 'selector', ACTIVE], 'true'],
  ];
}

const literals = (record: object): Readonly<Record<string, Part>> =>
  Object.fromEntries(Object.entries(record).map(([key, it]) => [key, typeof it === 'string' ? literal(it) : it]));

const whenAny = (record: Readonly<Record<string, Part>>): Part => (Object.keys(record).length > 0 ? record : undefined);

/**
 * Checks that the pods have the labels that Deployment and Service select, except the active one, which is set at run
 * time.
 */
function* checkSelectedLabels(node: DocumentNode, what: string, role: Role): Iterable<Diagnostic> {
  const selectors = [
    [...DEPLOYMENT, 'selector', 'matchLabels'],
    ...(role === 'server' ? [[...GATEWAY, 'service', 'spec', 'selector']] : []),
  ];
  const labels = entriesAt(node, POD_LABELS);
  for (const path of selectors) {
    const wanted = entriesAt(node, path);
    for (const [key, { value, at }] of wanted) {
      if (key === ACTIVE || labels.get(key)?.value === value) continue;
      yield diagnostic(
        'verify/template',
        at,
        `${what} selects pods with the label ${key}: ${value}, but its pods do not have it`,
      );
    }
    const missing = ['networking.liqo.io/gateway-name', 'networking.liqo.io/gateway-namespace'].find(
      (it) => !wanted.has(it),
    );
    if (missing !== undefined)
      yield* compareParts({ code: 'verify/template', what, node }, [[[...path, missing], '{{ .Name }}']]);
  }
}

function entriesAt(node: DocumentNode, path: readonly string[]) {
  const found = nodeAt(node, path);
  const entries = found?.kind === 'map' ? [...found.entries] : [];
  return new Map(
    entries.map(([key, { key: at, value }]) => [
      key,
      { value: value.kind === 'scalar' ? String(value.value) : '', at },
    ]),
  );
}

interface TemplateEnd {
  readonly role: 'server' | 'client';
  readonly cluster: ClusterDeclaration;
}

/** The three containers of a template: NAT and routes, the tunnel, the nodes' overlay. */
function* templateContainers(
  node: DocumentNode,
  what: string,
  { role, cluster, type }: TemplateEnd & { readonly type: ServiceType },
): Iterable<Diagnostic> {
  const { registry, tag } = cluster.image;
  const wanted = [
    { name: 'gateway', image: 'gateway', args: [...nodeArguments, ...gatewayArguments({ role, cluster })] },
    { name: 'wireguard', image: 'gateway/wireguard', args: tunnelArguments({ role, cluster }) },
    { name: 'geneve', image: 'gateway/geneve', args: [...nodeArguments, '--mode=server', '--geneve-port=6091'] },
  ];
  yield* compareParts(
    { code: 'verify/template', what, node },
    wanted.flatMap(({ name, image }, i) => [
      [[...CONTAINERS, i, 'name'], name],
      [[...CONTAINERS, i, 'ports'], containerPorts(name, cluster)],
      [[...CONTAINERS, i, 'image'], literal(`${registry}/${image}:${tag}`)],
    ]),
  );
  yield* compareParts({ code: 'verify/template', what, node }, [
    [[...CONTAINERS, 1, 'securityContext', 'privileged'], isUserspace(cluster) ? true : undefined],
    [[...CONTAINERS, 3], role === 'server' ? healthCheckOf(cluster, type) : undefined],
  ]);
  for (const [i, { name, args }] of wanted.entries()) {
    yield* sameArguments(node, [...CONTAINERS, i, 'args'], `the container "${name}" of ${what}`, [
      ...everyArguments,
      `--container-name=${name}`,
      probesOf(name),
      ...args,
      ...electionOf(name, cluster),
      ...metricsOf(name, cluster),
    ]);
  }
}

/** Checks that a container has these arguments and no others: an older release does not start with a flag of a later one. */
function* sameArguments(
  node: DocumentNode,
  path: DocumentPath,
  what: string,
  wanted: readonly string[],
): Iterable<Diagnostic> {
  const left = [...textsAt(node, path)];
  const missing = wanted.filter((it) => {
    const at = left.findIndex((one) => one.text === it);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  for (const it of missing) {
    const at = left.findIndex((one) => one.text?.split('=', 1)[0] === it.split('=', 1)[0]);
    const [instead] = at === -1 ? [] : left.splice(at, 1);
    const is = instead ? `has the argument ${instead.text}, but needs ${it}` : `is missing the argument ${it}`;
    yield diagnostic('verify/template', instead?.at ?? nodeAt(node, path)?.span ?? node.span, `${what} ${is}`);
  }
  for (const { text, at } of left) {
    yield diagnostic(
      'verify/template',
      at,
      `${what} has the argument ${text}, which the chart of its release does not set`,
    );
  }
}

/** Ports of each container for metrics and for health probes. */
const PORTS: Readonly<Record<string, { readonly metrics: number; readonly prefix: string; readonly health: number }>> =
  {
    gateway: { metrics: 8082, prefix: 'gw', health: 8083 },
    wireguard: { metrics: 8084, prefix: 'wg', health: 8085 },
    geneve: { metrics: 8086, prefix: 'gv', health: 8087 },
  };

function containerPorts(container: string, { monitoring }: ClusterDeclaration): Part {
  const { metrics = 0, prefix = '', health = 0 } = PORTS[container] ?? {};
  const ofMetrics = monitoring === null ? [] : [{ containerPort: metrics, name: `${prefix}-metrics` }];
  return [...ofMetrics, { containerPort: health, name: 'healthz' }];
}

const probesOf = (container: string): string => `--health-probe-bind-address=:${PORTS[container]?.health}`;

/** The flag for metrics, which the chart sets when its values enable them. */
const metricsOf = (container: string, { monitoring }: ClusterDeclaration): readonly string[] =>
  monitoring === null ? [] : [`--metrics-address=:${PORTS[container]?.metrics}`];

/** Source: liqotech/liqo@v1.2.0 pkg/liqoctl/install/openshift/provider.go. */
const isUserspace = ({ platform }: ClusterDeclaration): boolean => platform?.value === 'openshift';

/** Source: liqotech/liqo@v1.1.2 deployments/liqo/templates/liqo-wireguard-gateway-server-template-eks.yaml, gone in 1.2. */
const healthCheckOf = (cluster: ClusterDeclaration, type: ServiceType): Part =>
  isCheckedByContainer(cluster, type) ? { name: 'tcp-healthcheck', image: 'nginx' } : undefined;

const everyArguments = [
  '--name={{ .Name }}',
  '--namespace={{ .Namespace }}',
  '--remote-cluster-id={{ .ClusterID }}',
  '--gateway-uid={{ .GatewayUID }}',
];

const nodeArguments = ['--node-name=$(NODE_NAME)', '--pod-name=$(POD_NAME)'];

function gatewayArguments({ role, cluster: { gateway, traits } }: TemplateEnd): readonly string[] {
  const { enabled, lossThreshold, interval, updateStatusInterval } = gateway.ping ?? LIQO_PING;
  return [
    `--mode=${role}`,
    '--concurrent-containers-names=wireguard,geneve',
    '--global-labels=liqo.io/managed=true',
    `--ping-enabled=${enabled}`,
    `--ping-loss-threshold=${lossThreshold}`,
    `--ping-interval=${interval}`,
    `--ping-update-status-interval=${updateStatusInterval}`,
    ...(traits.monitorsRulesAndRoutes ? ['--enable-nft-monitor=true', '--enable-route-monitor=true'] : []),
  ];
}

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml (networking.gatewayTemplates.ping). */
const LIQO_PING = { enabled: true, lossThreshold: 5, interval: '2s', updateStatusInterval: '10s' };

function tunnelArguments({ role, cluster }: TemplateEnd): readonly string[] {
  const { gateway, traits } = cluster;
  const tunnel = [
    `--mode=${role}`,
    '--mtu={{ .Spec.MTU }}',
    `--implementation=${isUserspace(cluster) ? 'userspace' : 'kernel'}`,
  ];
  if (role === 'client') {
    const address = '--endpoint-address={{ index .Spec.Endpoint.Addresses 0 }}';
    return [...tunnel, address, '--endpoint-port={{ .Spec.Endpoint.Port }}'];
  }
  const listens = `--listen-port=${gateway.listenPort ?? '{{ .Spec.Endpoint.Port }}'}`;
  return [...tunnel, listens, ...(traits.preservesClientEndpoint ? ['--preserve-client-endpoint=true'] : [])];
}

/**
 * The flag for leader election. With several replicas all three containers take part. Before 1.1 the chart sets the
 * flag only on the gateway.
 */
function electionOf(container: string, { gateway, traits }: ClusterDeclaration): readonly string[] {
  const isReplicated = gateway.replicas > 1;
  if (container === 'gateway') return [`--leader-election=${isReplicated || !traits.labelsSingleGatewayActive}`];
  return isReplicated || traits.setsElectionInEveryContainer ? [`--leader-election=${isReplicated}`] : [];
}

/** Escapes a text of the topology, because Liqo renders every text of a template with Go's text/template. */
const literal = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');

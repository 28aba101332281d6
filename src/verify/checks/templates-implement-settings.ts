import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { type DocumentNode, nodeAt } from '../../source/document-node.ts';
import type { Annotations, ClusterDeclaration } from '../../topology/declaration.ts';
import type { ExpectedCluster } from '../expectation.ts';
import { ownTemplateName } from '../expected/own-template.ts';
import { type KubeObject, textsAt } from '../kube-object.ts';
import { objectsIn } from '../read-bundle.ts';
import type { BundleCheck } from './bundle-check.ts';
import { compareParts, type Part } from './compare-part.ts';

type Role = 'server' | 'client';

/**
 * A gateway template of a bundle has the settings of the topology, and equals the chart's in all others.
 * Source: liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0
 * deployments/liqo/templates/liqo-wireguard-gateway-{server,client}-template.yaml.
 */
export const templatesImplementSettings: BundleCheck = function* ({ bundle, network }) {
  for (const { name, expected } of network.values()) {
    for (const [, objects] of objectsIn(bundle, `${name}/gateway-templates`)) {
      for (const it of objects) {
        const role = roleOf(it);
        if (role)
          yield* templateOf(it, { role, cluster: expected.declared, annotations: annotationsFor(it, expected) });
      }
    }
  }
};

const roleOf = ({ kind }: KubeObject): Role | undefined =>
  kind === 'WgGatewayServerTemplate' ? 'server' : kind === 'WgGatewayClientTemplate' ? 'client' : undefined;

// Paths inside a template.
const GATEWAY = ['spec', 'template', 'spec'];
const DEPLOYMENT = [...GATEWAY, 'deployment', 'spec'];
const POD = [...DEPLOYMENT, 'template', 'spec'];
const POD_LABELS = [...DEPLOYMENT, 'template', 'metadata', 'labels'];
const ACTIVE = 'networking.liqo.io/active';

/** Of the Services made from a template: those of the link whose own it is, else those of all Services of the cluster. */
function annotationsFor({ name }: KubeObject, { declared, ends }: ExpectedCluster): Annotations {
  const of = [...ends.values()].find((it) => it.role === 'server' && ownTemplateName(it, declared) === name);
  if (declared.traits.annotatesGatewayServices) return {};
  return of ? Object.fromEntries(of.link.endpoint.annotations) : declared.gateway.serviceAnnotations;
}

interface Template {
  readonly role: Role;
  readonly cluster: ClusterDeclaration;
  readonly annotations: Annotations;
}

function* templateOf({ node, name }: KubeObject, { role, cluster, annotations }: Template): Iterable<Diagnostic> {
  const { gateway, traits } = cluster;
  const what = `the template "${name}" of "${cluster.name}"`;
  const isReplicated = gateway.replicas > 1;
  yield* compareParts({ code: 'verify/template', what, node }, [
    [['apiVersion'], 'networking.liqo.io/v1beta1'],
    [['metadata', 'namespace'], cluster.liqoNamespace],
    [['spec', 'objectKind', 'kind'], role === 'server' ? 'WgGatewayServer' : 'WgGatewayClient'],
    [['spec', 'template', 'metadata', 'name'], '{{ .Name }}'],
    [['spec', 'template', 'metadata', 'namespace'], '{{ .Namespace }}'],
    [[...DEPLOYMENT, 'replicas'], gateway.replicas],
    [[...DEPLOYMENT, 'strategy'], { type: 'Recreate' }],
    [[...POD, 'nodeSelector'], whenAny(literals(gateway.nodeSelector))],
    [[...POD, 'tolerations'], gateway.tolerations.length > 0 ? gateway.tolerations.map(literals) : undefined],
    [[...POD, 'affinity'], isReplicated ? APART : undefined],
    // A single pod is active from the start; of several the elected leader sets the label on itself.
    [[...POD_LABELS, ACTIVE], traits.labelsSingleGatewayActive && !isReplicated ? 'true' : undefined],
    ...(role === 'server' ? serviceOf(cluster, annotations) : [[[...GATEWAY, 'service'], undefined] as const]),
  ]);
  yield* selected(node, what, role);
  yield* containersOf(node, what, { role, cluster });
}

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

function serviceOf(
  { gateway }: ClusterDeclaration,
  annotations: Annotations,
): readonly (readonly [readonly string[], Part])[] {
  const { listenPort, service: type } = gateway;
  const isBalanced = type === 'LoadBalancer';
  const port = {
    port: '{{ .Spec.Endpoint.Port }}',
    protocol: 'UDP',
    targetPort: listenPort ?? '{{ .Spec.Endpoint.Port }}',
    '?nodePort': '{{ .Spec.Endpoint.NodePort }}',
  };
  const service = [...GATEWAY, 'service'];
  return [
    [[...service, 'metadata', 'annotations'], whenAny(literals(annotations))],
    [[...service, 'spec', 'type'], '{{ .Spec.Endpoint.ServiceType }}'],
    [[...service, 'spec', '?loadBalancerIP'], '{{ .Spec.Endpoint.LoadBalancerIP }}'],
    [[...service, 'spec', 'ports'], [port]],
    // Kubernetes refuses each of these for other types of Service, and has them as `Cluster`, no class and `true` by itself.
    [
      [...service, 'spec', 'externalTrafficPolicy'],
      gateway.externalTrafficPolicy.value === 'Local' && type !== 'ClusterIP' ? 'Local' : undefined,
    ],
    [
      [...service, 'spec', 'loadBalancerClass'],
      isBalanced && gateway.loadBalancerClass !== null ? literal(gateway.loadBalancerClass) : undefined,
    ],
    [
      [...service, 'spec', 'allocateLoadBalancerNodePorts'],
      isBalanced && !gateway.allocatesNodePorts ? false : undefined,
    ],
    [[...service, 'spec', 'selector', ACTIVE], 'true'],
  ];
}

/** Liqo renders every text of a template with Go's text/template, so texts of the topology are escaped. */
const literal = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');

const literals = (record: object): Readonly<Record<string, Part>> =>
  Object.fromEntries(Object.entries(record).map(([key, it]) => [key, typeof it === 'string' ? literal(it) : it]));

const whenAny = (record: Readonly<Record<string, Part>>): Part => (Object.keys(record).length > 0 ? record : undefined);

/** The pods have the labels that Deployment and Service select, except the active one, which is set at run time. */
function* selected(node: DocumentNode, what: string, role: Role): Iterable<Diagnostic> {
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

interface Gateway {
  readonly role: Role;
  readonly cluster: ClusterDeclaration;
}

/** Three containers: NAT and routes, the tunnel, the nodes' overlay. */
function* containersOf(node: DocumentNode, what: string, { role, cluster }: Gateway): Iterable<Diagnostic> {
  const { registry, tag } = cluster.image;
  const wanted = [
    { name: 'gateway', image: 'gateway', args: [...nodeArguments, ...gatewayArguments({ role, cluster })] },
    { name: 'wireguard', image: 'gateway/wireguard', args: tunnelArguments({ role, cluster }) },
    { name: 'geneve', image: 'gateway/geneve', args: [...nodeArguments, '--mode=server', '--geneve-port=6091'] },
  ];
  yield* compareParts(
    { code: 'verify/template', what, node },
    wanted.flatMap(({ name, image }, i) => [
      [[...POD, 'containers', i, 'name'], name],
      [[...POD, 'containers', i, 'ports'], portsOf(name, cluster)],
      [[...POD, 'containers', i, 'image'], literal(`${registry}/${image}:${tag}`)],
    ]),
  );
  yield* compareParts({ code: 'verify/template', what, node }, [
    [[...POD, 'containers', 1, 'securityContext', 'privileged'], isUserspace(cluster) ? true : undefined],
    [[...POD, 'containers', 3], role === 'server' ? healthCheckOf(cluster) : undefined],
  ]);
  for (const [i, { name, args }] of wanted.entries()) {
    const path = [...POD, 'containers', i, 'args'];
    const election = electionOf(name, cluster);
    const all = [...everyArguments, `--container-name=${name}`, ...args, ...election, ...metricsOf(name, cluster)];
    const found = textsAt(node, path).map((it) => it.text ?? '');
    for (const it of all.filter((one) => !found.includes(one))) {
      const instead = found.find((one) => one.split('=')[0] === it.split('=')[0]);
      const at = textsAt(node, path).find((one) => one.text === instead)?.at ?? nodeAt(node, path)?.span ?? node.span;
      yield diagnostic(
        'verify/template',
        at,
        instead === undefined
          ? `the container "${name}" of ${what} is missing the argument ${it}`
          : `the container "${name}" of ${what} has the argument ${instead}, but needs ${it}`,
      );
    }
    if (election.length > 0) continue;
    const extra = textsAt(node, path).find((it) => it.text?.startsWith('--leader-election='));
    if (extra)
      yield diagnostic(
        'verify/template',
        extra.at,
        `the container "${name}" of ${what} has the argument ${extra.text}, which the chart does not set`,
      );
  }
}

/** By container, its ports for metrics and for health probes. */
const PORTS: Readonly<Record<string, { readonly metrics: number; readonly prefix: string; readonly health: number }>> =
  {
    gateway: { metrics: 8082, prefix: 'gw', health: 8083 },
    wireguard: { metrics: 8084, prefix: 'wg', health: 8085 },
    geneve: { metrics: 8086, prefix: 'gv', health: 8087 },
  };

function portsOf(container: string, { monitoring }: ClusterDeclaration): Part {
  const { metrics = 0, prefix = '', health = 0 } = PORTS[container] ?? {};
  const ofMetrics = monitoring === null ? [] : [{ containerPort: metrics, name: `${prefix}-metrics` }];
  return [...ofMetrics, { containerPort: health, name: 'healthz' }];
}

/** The chart sets the flag where its values turn metrics on. */
const metricsOf = (container: string, { monitoring }: ClusterDeclaration): readonly string[] =>
  monitoring === null ? [] : [`--metrics-address=:${PORTS[container]?.metrics}`];

/** Source: liqotech/liqo@v1.2.0 pkg/liqoctl/install/openshift/provider.go. */
const isUserspace = ({ platform }: ClusterDeclaration): boolean => platform?.value === 'openshift';

/** Source: liqotech/liqo@v1.1.2 deployments/liqo/templates/liqo-wireguard-gateway-server-template-eks.yaml, gone in 1.2. */
const healthCheckOf = ({ platform, gateway, traits }: ClusterDeclaration): Part =>
  platform?.value === 'eks' && gateway.service === 'LoadBalancer' && !traits.answersHealthChecksOverHTTP
    ? { name: 'tcp-healthcheck', image: 'nginx' }
    : undefined;

const everyArguments = [
  '--name={{ .Name }}',
  '--namespace={{ .Namespace }}',
  '--remote-cluster-id={{ .ClusterID }}',
  '--gateway-uid={{ .GatewayUID }}',
];

const nodeArguments = ['--node-name=$(NODE_NAME)', '--pod-name=$(POD_NAME)'];

function gatewayArguments({ role, cluster: { gateway, traits } }: Gateway): readonly string[] {
  const { enabled, lossThreshold, interval, updateStatusInterval } = gateway.ping ?? LIQO_PING;
  return [
    `--mode=${role}`,
    '--concurrent-containers-names=wireguard,geneve',
    `--ping-enabled=${enabled}`,
    `--ping-loss-threshold=${lossThreshold}`,
    `--ping-interval=${interval}`,
    `--ping-update-status-interval=${updateStatusInterval}`,
    ...(traits.monitorsRulesAndRoutes ? ['--enable-nft-monitor=true', '--enable-route-monitor=true'] : []),
  ];
}

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml (networking.gatewayTemplates.ping). */
const LIQO_PING = { enabled: true, lossThreshold: 5, interval: '2s', updateStatusInterval: '10s' };

function tunnelArguments({ role, cluster }: Gateway): readonly string[] {
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
 * With several replicas all three take part in leader election. Before 1.1 the chart sets the flag only on the gateway.
 */
function electionOf(container: string, { gateway, traits }: ClusterDeclaration): readonly string[] {
  const isReplicated = gateway.replicas > 1;
  if (container === 'gateway') return [`--leader-election=${isReplicated || !traits.labelsSingleGatewayActive}`];
  return isReplicated || traits.setsElectionInEveryContainer ? [`--leader-election=${isReplicated}`] : [];
}

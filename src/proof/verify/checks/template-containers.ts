import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type DocumentNode, nodeAt } from '../../../base/source/document-node.ts';
import type { ClusterDeclaration, ServiceType } from '../../../fleet/topology/declaration.ts';
import { isCheckedByContainer } from '../expected/own-template.ts';
import { textsAt } from '../kube-object.ts';
import { compareParts, type Part } from './bundle-check.ts';

const CONTAINERS = ['spec', 'template', 'spec', 'deployment', 'spec', 'template', 'spec', 'containers'];

interface Gateway {
  readonly role: 'server' | 'client';
  readonly cluster: ClusterDeclaration;
}

/** The three containers of a template: NAT and routes, the tunnel, the nodes' overlay. */
export function* templateContainers(
  node: DocumentNode,
  what: string,
  { role, cluster, type }: Gateway & { readonly type: ServiceType },
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
    const path = [...CONTAINERS, i, 'args'];
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
 * The flag for leader election. With several replicas all three containers take part. Before 1.1 the chart sets the
 * flag only on the gateway.
 */
function electionOf(container: string, { gateway, traits }: ClusterDeclaration): readonly string[] {
  const isReplicated = gateway.replicas > 1;
  if (container === 'gateway') return [`--leader-election=${isReplicated || !traits.labelsSingleGatewayActive}`];
  return isReplicated || traits.setsElectionInEveryContainer ? [`--leader-election=${isReplicated}`] : [];
}

/** Escapes a text of the topology, because Liqo renders every text of a template with Go's text/template. */
export const literal = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');

import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type DocumentMap, plainOf } from '../../../base/source/document-node.ts';
import type { ClusterDeclaration } from '../../../fleet/topology/declaration.ts';
import { masqueradesEverything } from '../expectation.ts';
import { comparePart, forEachCluster, type Part, someOf } from './bundle-check.ts';

/**
 * Helm's values contain the `helmValues` of the topology, the values that liqoctl sets on the cluster's platform, the
 * address of its API server, and no others: another value may change packets that the rules of the nodes are compiled
 * for. Source: liqotech/liqo@v1.0.0 to @v1.2.0 deployments/liqo/values.yaml, pkg/liqoctl/install/<provider>/provider.go.
 */
export const installValuesAgree = forEachCluster(function* ({ bundle }, { name, expected }) {
  const values = bundle.maps.get(`${name}/helm-values.yaml`);
  if (values && !expected.retired) yield* installValuesOf(values, expected.declared);
});

/** Values by their paths, whose keys are joined with a character that no key contains. */
type ValuesByPath = Map<string, Part>;

const SEPARATOR = '\0';

function* installValuesOf(node: DocumentMap, cluster: ClusterDeclaration): Iterable<Diagnostic> {
  const wanted = byPath(platformValues(cluster));
  for (const { path, value } of cluster.helmValues) {
    const isAdded = path.join('.') === 'offloading.reflection.skip.annotations' && Array.isArray(value);
    wanted.set(path.join(SEPARATOR), isAdded ? [...new Set([...OF_THE_CHART, ...value])] : value);
  }
  const paths = new Set([...wanted.keys(), ...byPath(plainOf(node) as Part).keys()]);
  const what = `Helm's values of "${cluster.name}"`;
  for (const it of [...paths].map((path) => path.split(SEPARATOR))) {
    // Another check proves these.
    if (OF_OTHER_CHECKS.test(it.join('.'))) continue;
    const code = it[0] === 'metrics' ? 'verify/alert' : 'verify/platform';
    yield* comparePart({ code, what, node, path: it, wanted: wanted.get(it.join(SEPARATOR)) });
  }
}

const OF_OTHER_CHECKS =
  /^(ipam\.(pools|podCIDRs?|serviceCIDR|(external|internal)CIDR|reservedSubnets)|discovery\.config\.clusterID)$/;

function byPath(tree: Part, path: readonly string[] = [], found: ValuesByPath = new Map()): ValuesByPath {
  // A key without a value is `null` in the file.
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) found.set(path.join(SEPARATOR), tree);
  else for (const [key, it] of Object.entries(tree)) if (it !== undefined) byPath(it, [...path, key], found);
  return found;
}

/** The values that follow from other keys of the topology. */
function platformValues(cluster: ClusterDeclaration): Part {
  const platform = cluster.platform?.value ?? '';
  const [provider = ''] = platform.split('-');
  const { apiServer, monitoring } = cluster;
  const isLabelled = !['', 'rke2', 'generic'].includes(provider);
  const isOpenShift = platform === 'openshift';
  const isAks = provider === 'aks';
  return {
    apiServer: apiServer ? apiServerPart(apiServer) : undefined,
    discovery: { config: { clusterLabels: isLabelled ? { 'liqo.io/provider': provider } : undefined } },
    metrics: monitoring === null ? undefined : { enabled: true, prometheusOperator: { enabled: true } },
    networking: {
      fabric: { config: fabricOf(cluster, platform) },
      gatewayTemplates: {
        server: serverTemplatePart(cluster, platform),
        wireguard: isOpenShift ? { implementation: 'userspace' } : undefined,
      },
    },
    openshiftConfig: isOpenShift ? { enabled: true } : undefined,
    virtualKubelet: isAks
      ? { virtualNode: { extra: { labels: { 'kubernetes.azure.com/managed': 'false' } } } }
      : undefined,
  };
}

/**
 * Entries of the chart that a list must repeat, because it replaces the chart's. Source: liqotech/liqo@v1.2.0
 * deployments/liqo/values.yaml.
 */
const OF_THE_CHART = [
  'cloud.google.com/neg',
  'cloud.google.com/neg-status',
  'kubernetes.digitalocean.com/load-balancer-id',
  'ingress.kubernetes.io/backends',
  'ingress.kubernetes.io/forwarding-rule',
  'ingress.kubernetes.io/target-proxy',
  'ingress.kubernetes.io/url-map',
  'metallb.universe.tf/address-pool',
  'metallb.universe.tf/ip-allocated-from-pool',
  'metallb.universe.tf/loadBalancerIPs',
  'loadbalancer.openstack.org/load-balancer-id',
];

const apiServerPart = ({ address, ca, trustedCA }: NonNullable<ClusterDeclaration['apiServer']>): Part => ({
  address: address.value,
  ca: ca ?? undefined,
  trustedCA: trustedCA || undefined,
});

function fabricOf(cluster: ClusterDeclaration, platform: string): Part {
  const cni = cluster.cni?.value ?? '';
  const isAws = masqueradesEverything(cluster);
  const isBypassed = platform.startsWith('aks') || platform === 'kind' || ['azure', 'kindnet'].includes(cni);
  const all = {
    ...(isAws ? { fullMasquerade: true } : {}),
    ...(isAws && cluster.traits.ordersRoutingRules ? { routeConfigurationRulePriority: 200 } : {}),
    ...(isBypassed ? { gatewayMasqueradeBypass: true } : {}),
    ...(platform === 'k3s' ? { nftablesMonitor: false } : {}),
  };
  return someOf(all);
}

function serverTemplatePart({ traits }: ClusterDeclaration, platform: string): Part {
  const inTree = traits.annotatesInTreeLoadBalancers ? { type: 'nlb' } : null;
  const annotations = traits.answersHealthChecksOverHTTP ? NLB : inTree;
  if (platform !== 'eks' || annotations === null) return undefined;
  const named = Object.entries(annotations).map(([key, value]) => [
    `service.beta.kubernetes.io/aws-load-balancer-${key}`,
    value,
  ]);
  return { service: { annotations: Object.fromEntries(named) } };
}

const NLB = {
  type: 'external',
  scheme: 'internet-facing',
  'nlb-target-type': 'ip',
  'healthcheck-port': '8083',
  'healthcheck-protocol': 'HTTP',
  'healthcheck-path': '/healthz',
  'healthcheck-healthy-threshold': '2',
  'healthcheck-unhealthy-threshold': '3',
  'healthcheck-timeout': '10',
  'healthcheck-interval': '10',
};

import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { DocumentMap } from '../../../base/source/document-node.ts';
import type { ClusterDeclaration } from '../../../fleet/topology/declaration.ts';
import { masqueradesEverything } from '../expectation.ts';
import { compareParts, forEachCluster, type Part, someOf } from './bundle-check.ts';

/**
 * Helm's values contain the settings of `lending`, `virtualKubelet` and `reflection`, and no others of these parts.
 * `platformValuesAgree` checks the values of a platform. Source: liqotech/liqo@v1.0.0 to @v1.2.0
 * deployments/liqo/values.yaml.
 */
export const chartValuesAgree = forEachCluster(function* ({ bundle }, { name, expected }) {
  const values = bundle.maps.get(`${name}/helm-values.yaml`);
  if (values && !expected.retired) yield* chartValuesOf(values, expected.declared);
});

function* chartValuesOf(node: DocumentMap, { name, chart }: ClusterDeclaration): Iterable<Diagnostic> {
  const { lending, reflection } = chart;
  yield* compareParts({ code: 'verify/platform', what: `Helm's values of "${name}"`, node }, [
    [['controllerManager'], limitsOf(lending)],
    [['networking', 'reflectIPs'], reflection.ips ?? undefined],
    [['offloading'], someOf({ defaultNodeResources: defaultsOf(lending), reflection: reflectionOf(chart) })],
    [['storage'], lending.storageClass === null ? undefined : { realStorageClassName: lending.storageClass }],
  ]);
}

function limitsOf({ limits, enforceResources }: ClusterDeclaration['chart']['lending']): Part {
  const config: Record<string, Part> = {};
  if (limits !== null) config['defaultLimitsEnforcement'] = limits;
  if (enforceResources !== null) config['enableResourceEnforcement'] = enforceResources;
  return someOf({ config: someOf(config) });
}

const defaultsOf = ({ defaultResources }: ClusterDeclaration['chart']['lending']): Part =>
  someOf(Object.fromEntries(defaultResources.map(([resource, { value }]) => [resource, value])));

function reflectionOf({ lending, reflection }: ClusterDeclaration['chart']): Part {
  const kinds: Record<string, Record<string, Part>> = {};
  for (const [kind, settings] of Object.entries(reflection.reflectors)) {
    if (Object.values(settings).some((it) => it !== undefined)) kinds[kind] = { ...settings };
  }
  const classes = [
    ['ingress', 'ingressClasses', lending.ingressClasses],
    ['service', 'loadBalancerClasses', lending.loadBalancerClasses],
  ] as const;
  for (const [kind, key, names] of classes) {
    const [first, ...others] = names;
    if (first === undefined) continue;
    kinds[kind] = { ...kinds[kind], [key]: [{ name: first, default: true }, ...others.map((it) => ({ name: it }))] };
  }
  const skip: Record<string, Part> = {};
  if (reflection.skipLabels.length > 0) skip['labels'] = reflection.skipLabels;
  if (reflection.skipAnnotations.length > 0) skip['annotations'] = [...OF_THE_CHART, ...reflection.skipAnnotations];
  return someOf({ ...kinds, skip: someOf(skip) });
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

/**
 * Helm's values contain the values that liqoctl sets on the cluster's platform, and the address of its API server. An
 * additional value is an error, too, because it changes packets that the rules of the nodes are compiled for. Source:
 * liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0 pkg/liqoctl/install/<provider>/provider.go.
 */
export const platformValuesAgree = forEachCluster(function* ({ bundle }, { name, expected }) {
  const values = bundle.maps.get(`${name}/helm-values.yaml`);
  if (values && !expected.retired) yield* platformValuesOf(values, expected.declared);
});

function* platformValuesOf(node: DocumentMap, cluster: ClusterDeclaration): Iterable<Diagnostic> {
  const platform = cluster.platform?.value ?? '';
  const { apiServer } = cluster;
  yield* compareParts({ code: 'verify/platform', what: `Helm's values of "${cluster.name}"`, node }, [
    [['apiServer'], apiServer ? apiServerPart(apiServer) : undefined],
    [['discovery', 'config', 'clusterLabels'], clusterLabelsPart(platform, cluster)],
    [['networking', 'fabric', 'config'], fabricOf(cluster, platform)],
    [['networking', 'gatewayTemplates', 'server'], serverTemplatePart(cluster, platform)],
    [
      ['networking', 'gatewayTemplates', 'wireguard'],
      platform === 'openshift' ? { implementation: 'userspace' } : undefined,
    ],
    [['openshiftConfig'], platform === 'openshift' ? { enabled: true } : undefined],
    [['virtualKubelet'], kubeletOf(platform, cluster)],
  ]);
}

const apiServerPart = ({ address, ca, trustedCA }: NonNullable<ClusterDeclaration['apiServer']>): Part => ({
  address: address.value,
  ca: ca ?? undefined,
  trustedCA: trustedCA || undefined,
});

function clusterLabelsPart(platform: string, { chart }: ClusterDeclaration): Part {
  const [provider = ''] = platform.split('-');
  const own = ['', 'rke2', 'generic'].includes(provider) ? {} : { 'liqo.io/provider': provider };
  return someOf({ ...own, ...chart.lending.nodeLabels });
}

/** The topology's settings for virtual kubelets, and the label that prevents AKS from deleting their nodes. */
function kubeletOf(platform: string, { chart }: ClusterDeclaration): Part {
  const { replicas, args, labels, annotations, nodeLabels, nodeAnnotations } = chart.virtualKubelet;
  const aks = platform.startsWith('aks') ? { 'kubernetes.azure.com/managed': 'false' } : {};
  const node = { labels: someOf({ ...aks, ...nodeLabels }), annotations: someOf(nodeAnnotations) };
  const pod = { args: args.length > 0 ? args : undefined, labels: someOf(labels), annotations: someOf(annotations) };
  return someOf({
    replicas: replicas ?? undefined,
    extra: someOf(pod),
    virtualNode: someOf({ extra: someOf(node) }),
  });
}

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

import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { DocumentMap } from '../../../base/source/document-node.ts';
import type { ClusterDeclaration } from '../../../fleet/topology/declaration.ts';
import { masqueradesEverything } from '../masquerades-everything.ts';
import { forEachCluster } from './bundle-check.ts';
import { compareParts, type Part, someOf } from './compare-part.ts';

/**
 * Helm's values have what liqoctl sets on the cluster's platform, and the address of its API server. A value too many is
 * an error, too: it changes packets that the rules of the nodes are compiled for.
 * Source: liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0 pkg/liqoctl/install/<provider>/provider.go.
 */
export const platformValuesAgree = forEachCluster(function* ({ bundle }, { name, expected }) {
  const values = bundle.maps.get(`${name}/helm-values.yaml`);
  if (values && !expected.retired) yield* valuesOf(values, expected.declared);
});

function* valuesOf(node: DocumentMap, cluster: ClusterDeclaration): Iterable<Diagnostic> {
  const platform = cluster.platform?.value ?? '';
  const { apiServer } = cluster;
  yield* compareParts({ code: 'verify/platform', what: `Helm's values of "${cluster.name}"`, node }, [
    [['apiServer'], apiServer ? apiServerPart(apiServer) : undefined],
    [['discovery', 'config', 'clusterLabels'], labelsOf(platform, cluster)],
    [['networking', 'fabric', 'config'], fabricOf(cluster, platform)],
    [['networking', 'gatewayTemplates', 'server'], serverOf(cluster, platform)],
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

function labelsOf(platform: string, { chart }: ClusterDeclaration): Part {
  const [provider = ''] = platform.split('-');
  const own = ['', 'rke2', 'generic'].includes(provider) ? {} : { 'liqo.io/provider': provider };
  return someOf({ ...own, ...chart.lending.nodeLabels });
}

/** What the topology sets of virtual kubelets, and the label that keeps AKS from deleting their nodes. */
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

function serverOf({ traits }: ClusterDeclaration, platform: string): Part {
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

import { sortedRecord } from '../../base/core/collections.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { PROVIDER_LABEL } from '../../base/releases/labels.ts';
import {
  AKS_NODE_LABELS,
  chartAnnotations,
  platformFacts,
  ROUTING_RULE_PRIORITY,
} from '../../base/releases/platforms.ts';
import type { ApiServer, CidrRequest } from '../model/network-model.ts';
import type { AddressedCluster } from './addressed-model.ts';

type ChartValue = string | number | boolean | readonly ChartValue[] | ChartValues;

/** Values of Liqo's chart; those that are `undefined` are left to the chart. */
export type ChartValues = { readonly [key: string]: ChartValue | undefined };

/**
 * The values that the topology decides by other keys. A cluster installed with another `ipam` assigns other addresses; without a cluster
 * ID the chart generates one, and the labels of the peers' objects contain an ID that does not exist. Source:
 * liqotech/liqo@v1.2.0 deployments/liqo/templates (`discovery.config.clusterID`).
 */
export function decidedValues(cluster: AddressedCluster): ChartValues {
  const pods = cluster.podCIDRs.map((it) => printPrefix(it.value));
  const { clusterLabels, ...others } = platformValues(cluster);
  return {
    apiServer: cluster.apiServer ? apiServerValues(cluster.apiServer) : undefined,
    discovery: { config: { clusterID: cluster.name, clusterLabels } },
    ipam: {
      pools: cluster.pools.map((it) => printPrefix(it.value)),
      // `podCIDRs` exists since 1.2 and renames the Network, so a single pod CIDR keeps the key that all releases have.
      ...(pods.length === 1 ? { podCIDR: pods[0] } : { podCIDRs: pods }),
      serviceCIDR: printPrefix(cluster.serviceCIDR.value),
      externalCIDR: requested(cluster, cluster.external, cluster.externalCIDR),
      internalCIDR: requested(cluster, cluster.internal, cluster.internalCIDR),
      reservedSubnets: cluster.reserved.map((it) => printPrefix(it.value)),
    },
    ...others,
    // Gateways report no metrics without this value; a PodMonitor discovers them.
    ...(cluster.monitoring === null ? {} : { metrics: { enabled: true, prometheusOperator: { enabled: true } } }),
  };
}

const apiServerValues = ({ address, ca, trustedCA }: ApiServer): ChartValues => ({
  address: address.value,
  ca: ca ?? undefined,
  trustedCA: trustedCA || undefined,
});

/**
 * The requested network. Since 1.2 Liqo uses a given value or fails; it moves its default only when the value is
 * absent.
 */
function requested({ traits }: AddressedCluster, request: CidrRequest, assigned: Prefix): string | undefined {
  if (request.kind === 'auto') return printPrefix(assigned);
  if (request.kind === 'default' && traits.pinsExplicitOwnCIDRs) return undefined;
  return printPrefix(request.prefix);
}

/**
 * The values that `liqoctl install <provider>` of the cluster's release adds to the chart's, but for the credentials of
 * AWS, and for a traffic policy that no template reads. `undefined` for each that the platform does not need.
 * Source: liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0 pkg/liqoctl/install/<provider>/provider.go and handler.go.
 */
function platformValues(cluster: AddressedCluster): {
  readonly clusterLabels: ChartValues | undefined;
  readonly networking: ChartValues | undefined;
  readonly openshiftConfig: ChartValues | undefined;
  readonly virtualKubelet: ChartValues | undefined;
} {
  const platform = cluster.platform?.value ?? null;
  const provider = platform === null ? null : platformFacts(platform).provider;
  return {
    clusterLabels: provider === null ? undefined : { [PROVIDER_LABEL]: provider },
    networking: whenAny({ fabric: fabricValues(cluster), gatewayTemplates: templateValues(cluster) }),
    openshiftConfig: platform === 'openshift' ? { enabled: true } : undefined,
    virtualKubelet: provider === 'aks' ? { virtualNode: { extra: { labels: AKS_NODE_LABELS } } } : undefined,
  };
}

function fabricValues({ fabric, platform, traits }: AddressedCluster): ChartValues | undefined {
  const config = whenAny({
    fullMasquerade: fabric.fullMasquerade || undefined,
    gatewayMasqueradeBypass: fabric.gatewayMasqueradeBypass || undefined,
    nftablesMonitor: platform?.value === 'k3s' ? false : undefined,
    routeConfigurationRulePriority:
      fabric.ordersRoutingRules && traits.ordersRoutingRules ? ROUTING_RULE_PRIORITY : undefined,
  });
  return config && { config };
}

/** Values for gateways that are made from the chart's templates; weft's own templates have the same settings. */
function templateValues({ platform, traits }: AddressedCluster): ChartValues | undefined {
  const annotations = chartAnnotations(platform?.value ?? null, traits);
  const isAnnotated = Object.keys(annotations).length > 0;
  return whenAny({
    server: isAnnotated ? { service: { annotations: sortedRecord(annotations) } } : undefined,
    wireguard: platform?.value === 'openshift' ? { implementation: 'userspace' } : undefined,
  });
}

const whenAny = (values: ChartValues): ChartValues | undefined =>
  Object.values(values).some((it) => it !== undefined) ? values : undefined;

import { sortedRecord } from '../../base/core/collections.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { UNREFLECTED_ANNOTATIONS } from '../../base/releases/install-defaults.ts';
import { PROVIDER_LABEL } from '../../base/releases/labels.ts';
import {
  AKS_NODE_LABELS,
  chartAnnotations,
  platformFacts,
  ROUTING_RULE_PRIORITY,
} from '../../base/releases/platforms.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { ApiServer, CidrRequest } from '../../fleet/model/network-model.ts';
import type { Field } from './manifest.ts';

/** A type alias instead of an interface, so that it can be printed. */
type HelmValues = {
  readonly apiServer: { readonly [key: string]: Field | undefined } | undefined;
  readonly discovery: { readonly config: { readonly [key: string]: Field | undefined } };
  readonly ipam: { readonly [key: string]: Field | undefined };
  readonly [key: string]: Field | undefined;
};

/** The values of Liqo's chart that the topology decides. */
export function helmValues(cluster: AddressedCluster): { readonly [key: string]: Field | undefined } {
  return mergeValues(networkValues(cluster), sharingValues(cluster));
}

/**
 * The values that the network needs. A cluster installed with another `ipam` assigns other addresses; without a cluster
 * ID the chart generates one, and the labels of the peers' objects contain an ID that does not exist. Source:
 * liqotech/liqo@v1.2.0 deployments/liqo/templates (`discovery.config.clusterID`).
 */
function networkValues(cluster: AddressedCluster): HelmValues {
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

const apiServerValues = ({ address, ca, trustedCA }: ApiServer): { readonly [key: string]: Field | undefined } => ({
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

type PartOfChart = { readonly [key: string]: Field | undefined };

/**
 * The values that `liqoctl install <provider>` of the cluster's release adds to the chart's, but for the credentials of
 * AWS, and for a traffic policy that no template reads. `undefined` for each that the platform does not need.
 * Source: liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0 pkg/liqoctl/install/<provider>/provider.go and handler.go.
 */
function platformValues(cluster: AddressedCluster): {
  readonly clusterLabels: PartOfChart | undefined;
  readonly networking: PartOfChart | undefined;
  readonly openshiftConfig: PartOfChart | undefined;
  readonly virtualKubelet: PartOfChart | undefined;
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

function fabricValues({ fabric, platform, traits }: AddressedCluster): PartOfChart | undefined {
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
function templateValues({ platform, traits }: AddressedCluster): PartOfChart | undefined {
  const annotations = chartAnnotations(platform?.value ?? null, traits);
  const isAnnotated = Object.keys(annotations).length > 0;
  return whenAny({
    server: isAnnotated ? { service: { annotations: sortedRecord(annotations) } } : undefined,
    wireguard: platform?.value === 'openshift' ? { implementation: 'userspace' } : undefined,
  });
}

const whenAny = (values: PartOfChart): PartOfChart | undefined =>
  Object.values(values).some((it) => it !== undefined) ? values : undefined;

type SharingPart = { readonly [key: string]: Field | undefined };

/**
 * The values of Liqo's chart for authentication and offloading that the topology sets. A list replaces the chart's, so what
 * the chart lists by default is in it.
 * Source: liqotech/liqo@v1.0.0 to @v1.2.0 deployments/liqo/values.yaml.
 */
function sharingValues({ chart }: AddressedCluster): SharingPart {
  const { lending, virtualKubelet, reflection } = chart;
  return {
    controllerManager: partUnlessEmpty({
      config: partUnlessEmpty({
        defaultLimitsEnforcement: lending.limits ?? undefined,
        enableResourceEnforcement: lending.enforceResources ?? undefined,
      }),
    }),
    discovery: partUnlessEmpty({ config: partUnlessEmpty({ clusterLabels: partUnlessEmpty(lending.nodeLabels) }) }),
    networking: partUnlessEmpty({ reflectIPs: reflection.ips ?? undefined }),
    offloading: partUnlessEmpty({
      defaultNodeResources: partUnlessEmpty(
        Object.fromEntries(lending.defaultResources.map(([name, it]) => [name, it.value])),
      ),
      reflection: reflectionValues(chart),
    }),
    storage: partUnlessEmpty({ realStorageClassName: lending.storageClass ?? undefined }),
    virtualKubelet: partUnlessEmpty({
      replicas: virtualKubelet.replicas ?? undefined,
      extra: partUnlessEmpty({
        annotations: partUnlessEmpty(virtualKubelet.annotations),
        args: listUnlessEmpty(virtualKubelet.args),
        labels: partUnlessEmpty(virtualKubelet.labels),
      }),
      virtualNode: partUnlessEmpty({
        extra: partUnlessEmpty({
          annotations: partUnlessEmpty(virtualKubelet.nodeAnnotations),
          labels: partUnlessEmpty(virtualKubelet.nodeLabels),
        }),
      }),
    }),
  };
}

function reflectionValues({ lending, reflection }: AddressedCluster['chart']): SharingPart | undefined {
  const { reflectors, skipLabels, skipAnnotations } = reflection;
  const annotations = skipAnnotations.length === 0 ? [] : [...UNREFLECTED_ANNOTATIONS, ...skipAnnotations];
  const byKind: SharingPart = {
    ...Object.fromEntries(
      Object.entries(sortedRecord(reflectors)).map(([kind, it]) => [kind, partUnlessEmpty({ ...it })]),
    ),
    ingress: partUnlessEmpty({ ...reflectors['ingress'], ingressClasses: classList(lending.ingressClasses) }),
    service: partUnlessEmpty({ ...reflectors['service'], loadBalancerClasses: classList(lending.loadBalancerClasses) }),
  };
  return partUnlessEmpty({
    ...byKind,
    skip: partUnlessEmpty({ annotations: listUnlessEmpty(annotations), labels: listUnlessEmpty(skipLabels) }),
  });
}

/** Class names as values; the first one is the default. */
const classList = (names: readonly string[]): Field | undefined =>
  listUnlessEmpty(names.map((name, index) => (index === 0 ? { name, default: true } : { name })));

const listUnlessEmpty = (items: readonly Field[]): readonly Field[] | undefined =>
  items.length === 0 ? undefined : items;

/** The part, or `undefined` when no member is set. */
function partUnlessEmpty(members: SharingPart): SharingPart | undefined {
  return Object.values(members).some((it) => it !== undefined) ? members : undefined;
}

type Values = { readonly [key: string]: Field | undefined };

/** Values of a chart merged key by key through maps, as Helm merges files of values; a list or a scalar replaces. */
export function mergeValues(base: Values, over: Values): Values {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const below = merged.get(key);
    if (isMap(below) && isMap(value)) merged.set(key, mergeValues(below, value));
    else if (value !== undefined) merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

const isMap = (value: Field | undefined): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import type { ReleaseTraits } from './traits.ts';

/*
 * What Liqo needs on a platform, as `liqoctl install <provider>` writes it into the values of the chart, and what Liqo's
 * documentation lists as missing there. The chart itself knows no platform.
 * Source: liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0 pkg/liqoctl/install/<provider>/provider.go,
 * docs/installation/{install,compatibility}.md.
 */

/** How nodes treat packets to peers and from gateways. */
export interface FabricSettings {
  /** Every packet to a peer gets the unknown source, also those of pods. Value `networking.fabric.config.fullMasquerade`. */
  readonly fullMasquerade: boolean;
  /** Packets of the overlay keep the source of the gateway's pod. Value `…config.gatewayMasqueradeBypass`. */
  readonly gatewayMasqueradeBypass: boolean;
  /** The CNI has routing rules with a fixed priority, so Liqo's need one, too. Value `…config.routeConfigurationRulePriority`. */
  readonly ordersRoutingRules: boolean;
}

const PLAIN: FabricSettings = { fullMasquerade: false, gatewayMasqueradeBypass: false, ordersRoutingRules: false };

interface PlatformFacts {
  /** The provider of liqoctl; `null` where liqoctl has none. Source: the `Name()` of each provider. */
  readonly provider: string | null;
  readonly fabric: FabricSettings;
  /** How gateways are offered unless the topology says otherwise. */
  readonly service: 'NodePort' | 'LoadBalancer';
  /** Where nodes have their addresses. `outside`: in a subnet that liqoctl reserves. `pods`: in the pod CIDR. */
  readonly nodes: 'outside' | 'pods' | 'unknown';
  /** What Liqo's documentation lists as not working, as it follows "on this platform". */
  readonly limits: readonly string[];
}

const NO_API = 'offloaded pods cannot use the API server of their own cluster';
const NO_EXTERNAL = 'IP resources cannot map addresses outside the cluster';
const NO_NODE_PORT = 'a NodePort Service cannot reach offloaded pods';
const NO_EXPOSITION = 'NodePort and LoadBalancer Services cannot reach offloaded pods';

const AZURE = { ...PLAIN, gatewayMasqueradeBypass: true };
const ON_PREMISES = { fabric: PLAIN, service: 'NodePort', nodes: 'unknown', limits: [] } as const;

const PLATFORMS = {
  eks: {
    provider: 'eks',
    // liqoctl leaves the priority to the user. Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml, which names the CNI of AWS.
    fabric: { ...PLAIN, fullMasquerade: true, ordersRoutingRules: true },
    service: 'LoadBalancer',
    nodes: 'pods',
    limits: [NO_API, NO_EXTERNAL],
  },
  'aks-kubenet': {
    provider: 'aks',
    fabric: AZURE,
    service: 'LoadBalancer',
    nodes: 'outside',
    limits: [NO_API, NO_EXTERNAL],
  },
  'aks-overlay': {
    provider: 'aks',
    fabric: AZURE,
    service: 'LoadBalancer',
    nodes: 'outside',
    limits: [NO_API, NO_EXTERNAL],
  },
  'aks-cni': { provider: 'aks', fabric: AZURE, service: 'LoadBalancer', nodes: 'pods', limits: [NO_API, NO_NODE_PORT] },
  'gke-v1': { provider: 'gke', fabric: PLAIN, service: 'LoadBalancer', nodes: 'outside', limits: [] },
  'gke-v2': { provider: 'gke', fabric: PLAIN, service: 'LoadBalancer', nodes: 'outside', limits: [NO_EXPOSITION] },
  k3s: { ...ON_PREMISES, provider: 'k3s', limits: ['`kubectl exec` into offloaded pods does not work'] },
  kind: { ...ON_PREMISES, provider: 'kind', fabric: AZURE },
  kubeadm: { ...ON_PREMISES, provider: 'kubeadm' },
  rke2: { ...ON_PREMISES, provider: null },
  openshift: { ...ON_PREMISES, provider: 'openshift' },
  generic: { ...ON_PREMISES, provider: null },
} as const satisfies Readonly<Record<string, PlatformFacts>>;

export type Platform = keyof typeof PLATFORMS;

export const PLATFORM_NAMES = Object.keys(PLATFORMS) as readonly Platform[];

export const platformFacts = (platform: Platform): PlatformFacts => PLATFORMS[platform];

export const isPlatform = (text: string): text is Platform => Object.hasOwn(PLATFORMS, text);

/** Where the operator runs the control plane, no node of the cluster has its role. */
const MANAGED: ReadonlySet<string | null> = new Set(['eks', 'aks', 'gke']);

export const isManaged = (platform: Platform | null): boolean =>
  platform !== null && MANAGED.has(PLATFORMS[platform].provider);

/**
 * Whether the API server signs certificates for the clients of Liqo. On EKS Liqo makes users of AWS instead.
 * Source: liqotech/liqo@v1.2.0 cmd/liqo-controller-manager/modules/authentication.go (awsConfig).
 */
export const signsClientCertificates = (platform: Platform | null): boolean => platform !== 'eks';

/** Whether the pods of these nodes are routed by the nodes of Google, whose Services are outside the pools of Liqo. */
export const isGke = (platform: Platform | null): boolean =>
  platform !== null && PLATFORMS[platform].provider === 'gke';

/**
 * CNIs that need settings of their own or of Liqo's.
 * Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml (networking.fabric.config), docs/installation/install.md (CNIs).
 */
const CNIS = {
  cilium: PLAIN,
  calico: PLAIN,
  flannel: PLAIN,
  kindnet: AZURE,
  azure: AZURE,
  'aws-vpc': { ...PLAIN, fullMasquerade: true, ordersRoutingRules: true },
} as const satisfies Readonly<Record<string, FabricSettings>>;

export type Cni = keyof typeof CNIS;

/** What nodes must do because of the platform or of the CNI. */
export function fabricSettings(platform: Platform | null, cni: Cni | null): FabricSettings {
  const all = [platform === null ? PLAIN : PLATFORMS[platform].fabric, cni === null ? PLAIN : CNIS[cni]];
  const some = (key: keyof FabricSettings): boolean => all.some((it) => it[key]);
  return {
    fullMasquerade: some('fullMasquerade'),
    gatewayMasqueradeBypass: some('gatewayMasqueradeBypass'),
    ordersRoutingRules: some('ordersRoutingRules'),
  };
}

/** Inside the range that Liqo recommends, 101 to 500. Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml. */
export const ROUTING_RULE_PRIORITY = 200;

/**
 * The pool for the Services of a managed GKE cluster, which liqoctl adds to the others. Plain Helm replaces a list, so the
 * values must have all four.
 */
export const GKE_SERVICE_POOL = '34.118.224.0/20';

/** The networks of a k3s server without flags, which `liqoctl install k3s` assumes, too. */
export const K3S_NETWORKS = { podCIDR: '10.42.0.0/16', serviceCIDR: '10.43.0.0/16' } as const;

type Annotations = Readonly<Record<string, string>>;

const AWS = 'service.beta.kubernetes.io/aws-load-balancer';

/** An NLB checks the health of its targets, and cannot do that over UDP: HTTP of the gateway since 1.2, else another container. */
const NLB: Annotations = {
  [`${AWS}-healthcheck-interval`]: '10',
  [`${AWS}-healthcheck-timeout`]: '10',
  [`${AWS}-healthcheck-unhealthy-threshold`]: '3',
  [`${AWS}-nlb-target-type`]: 'ip',
  [`${AWS}-scheme`]: 'internet-facing',
  [`${AWS}-type`]: 'external',
};

/** Source: liqotech/liqo@v1.2.0 pkg/liqoctl/install/eks/provider.go. */
const NLB_WITH_HTTP_CHECK: Annotations = {
  ...NLB,
  [`${AWS}-healthcheck-healthy-threshold`]: '2',
  [`${AWS}-healthcheck-path`]: '/healthz',
  [`${AWS}-healthcheck-port`]: '8083',
  [`${AWS}-healthcheck-protocol`]: 'HTTP',
};

/** Source: liqotech/liqo@v1.1.2 deployments/liqo/templates/liqo-wireguard-gateway-server-template-eks.yaml. */
const NLB_WITH_TCP_CHECK: Annotations = {
  ...NLB,
  [`${AWS}-healthcheck-healthy-threshold`]: '3',
  [`${AWS}-healthcheck-port`]: '80',
  [`${AWS}-healthcheck-protocol`]: 'TCP',
};

/** Whether the load balancer sends packets to pods themselves, so that no node port is used. */
export const targetsPods = (annotations: Annotations): boolean => annotations[`${AWS}-nlb-target-type`] === 'ip';

/** The annotations that the Service of a gateway needs on the platform, where it is a load balancer. */
export function loadBalancerAnnotations(platform: Platform | null, traits: ReleaseTraits): Annotations {
  if (platform !== 'eks') return {};
  return traits.answersHealthChecksOverHTTP ? NLB_WITH_HTTP_CHECK : NLB_WITH_TCP_CHECK;
}

/** The annotations of every gateway's Service that liqoctl writes into the chart's values. */
export function chartAnnotations(platform: Platform | null, traits: ReleaseTraits): Annotations {
  if (platform !== 'eks') return {};
  if (traits.answersHealthChecksOverHTTP) return NLB_WITH_HTTP_CHECK;
  return traits.annotatesInTreeLoadBalancers ? { [`${AWS}-type`]: 'nlb' } : {};
}

/**
 * The container that answers the health checks of an NLB before 1.2, as the chart has it.
 * Source: liqotech/liqo@v1.0.3 and @v1.1.2 deployments/liqo/templates/liqo-wireguard-gateway-server-template-eks.yaml.
 */
export const HEALTH_CHECK_CONTAINER = { name: 'tcp-healthcheck', image: 'nginx' } as const;

/** Keeps the controllers of AKS from deleting virtual nodes. Source: pkg/liqoctl/install/aks/provider.go. */
export const AKS_NODE_LABELS: Readonly<Record<string, string>> = { 'kubernetes.azure.com/managed': 'false' };

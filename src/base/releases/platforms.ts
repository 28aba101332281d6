import type { ReleaseTraits } from './traits.ts';

/*
 * The settings that Liqo needs on a platform, as `liqoctl install <provider>` writes them into the values of the chart, and
 * the limitations that Liqo's documentation lists. The chart itself does not distinguish platforms.
 * Source: liqotech/liqo@v1.0.3, @v1.1.2 and @v1.2.0 pkg/liqoctl/install/<provider>/provider.go,
 * docs/installation/{install,compatibility}.md.
 */

/** The handling of packets to peers and from gateways on nodes. */
export interface FabricSettings {
  /**
   * Every packet to a peer gets the unknown source, including packets of pods. Value
   * `networking.fabric.config.fullMasquerade`.
   */
  readonly fullMasquerade: boolean;
  /** Packets of the overlay keep the source of the gateway's pod. Value `…config.gatewayMasqueradeBypass`. */
  readonly gatewayMasqueradeBypass: boolean;
  /**
   * The CNI has routing rules with a fixed priority, so Liqo's rules need one, too. Value
   * `…config.routeConfigurationRulePriority`.
   */
  readonly ordersRoutingRules: boolean;
}

const PLAIN: FabricSettings = { fullMasquerade: false, gatewayMasqueradeBypass: false, ordersRoutingRules: false };

interface PlatformFacts {
  /** The provider of liqoctl; `null` when liqoctl has none. Source: the `Name()` of each provider. */
  readonly provider: string | null;
  readonly fabric: FabricSettings;
  /** The Service type of gateways unless the topology sets another one. */
  readonly service: 'NodePort' | 'LoadBalancer';
  /** The location of node addresses. `outside`: in a subnet that liqoctl reserves. `pods`: in the pod CIDR. */
  readonly nodes: 'outside' | 'pods' | 'unknown';
  /** Limitations listed by Liqo's documentation, worded to follow "on this platform". */
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
    // liqoctl leaves the priority to the user.
    // Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml, which names the CNI of AWS.
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

/** Providers that operate the control plane themselves, so that no node of the cluster has its role. */
const MANAGED: ReadonlySet<string | null> = new Set(['eks', 'aks', 'gke']);

export const isManaged = (platform: Platform | null): boolean =>
  platform !== null && MANAGED.has(PLATFORMS[platform].provider);

/**
 * True when the API server signs certificates for the clients of Liqo. On EKS Liqo creates AWS users instead.
 * Source: liqotech/liqo@v1.2.0 cmd/liqo-controller-manager/modules/authentication.go (awsConfig).
 */
export const signsClientCertificates = (platform: Platform | null): boolean => platform !== 'eks';

/** True when Google's nodes route the pods; their Services are outside Liqo's pools. */
export const isGke = (platform: Platform | null): boolean =>
  platform !== null && PLATFORMS[platform].provider === 'gke';

/**
 * CNIs that need special settings of their own or of Liqo.
 * Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml (networking.fabric.config), docs/installation/install.md
 * (CNIs).
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

/** The settings that nodes need because of the platform or the CNI. */
export function fabricSettings(platform: Platform | null, cni: Cni | null): FabricSettings {
  const all = [platform === null ? PLAIN : PLATFORMS[platform].fabric, cni === null ? PLAIN : CNIS[cni]];
  const some = (key: keyof FabricSettings): boolean => all.some((it) => it[key]);
  return {
    fullMasquerade: some('fullMasquerade'),
    gatewayMasqueradeBypass: some('gatewayMasqueradeBypass'),
    ordersRoutingRules: some('ordersRoutingRules'),
  };
}

/**
 * The effect of NetworkPolicies with a network plugin. `optional`: it enforces them if that is turned on. k3s brings its
 * own controller for them. Source: k3s-io/k3s@v1.32.1 pkg/agent/netpol; kubernetes-sigs/kindnet in kind v0.24;
 * aws/amazon-vpc-cni-k8s@v1.19.2 README.md (enable-network-policy-controller); docs of AKS about `--network-policy`.
 */
export function policiesOf(platform: Platform | null, cni: Cni | null): 'enforced' | 'optional' | 'ignored' {
  if (cni === 'flannel') return platform === 'k3s' ? 'enforced' : 'ignored';
  return cni === 'azure' || cni === 'aws-vpc' ? 'optional' : 'enforced';
}

/**
 * A priority in the range that Liqo recommends, 101 to 500.
 * Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml.
 */
export const ROUTING_RULE_PRIORITY = 200;

/**
 * The pool for the Services of a managed GKE cluster, which liqoctl adds to the others. Plain Helm replaces a list, so
 * the values must contain all four pools.
 */
export const GKE_SERVICE_POOL = '34.118.224.0/20';

/** The networks of a k3s server without flags, which `liqoctl install k3s` assumes, too. */
export const K3S_NETWORKS = { podCIDR: '10.42.0.0/16', serviceCIDR: '10.43.0.0/16' } as const;

type Annotations = Readonly<Record<string, string>>;

const AWS = 'service.beta.kubernetes.io/aws-load-balancer';

/**
 * Annotations for an NLB. It checks the health of its targets, but not over UDP: since 1.2 over HTTP at the gateway,
 * before at another container.
 */
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

/** True when the load balancer sends packets directly to pods, so that no node port is used. */
export const targetsPods = (annotations: Annotations): boolean => annotations[`${AWS}-nlb-target-type`] === 'ip';

/** The annotations that a gateway's Service of type LoadBalancer needs on the platform. */
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
 * The chart's container that answers the health checks of an NLB before 1.2.
 * Source: liqotech/liqo@v1.0.3 and @v1.1.2 deployments/liqo/templates/liqo-wireguard-gateway-server-template-eks.yaml.
 */
export const HEALTH_CHECK_CONTAINER = { name: 'tcp-healthcheck', image: 'nginx' } as const;

const ON_AWS: readonly Platform[] = ['eks'];
const ON_AZURE: readonly Platform[] = ['aks-kubenet', 'aks-overlay', 'aks-cni'];
const ON_GOOGLE: readonly Platform[] = ['gke-v1', 'gke-v2'];

/** The platforms on which a plugin cannot run: it needs another cloud, or the platform has one of its own. */
const CNI_EXCLUDES: Readonly<Partial<Record<Cni, readonly Platform[]>>> = {
  azure: [...ON_AWS, ...ON_GOOGLE, 'k3s', 'kind', 'openshift'],
  'aws-vpc': [...ON_AZURE, ...ON_GOOGLE, 'k3s', 'kind', 'openshift'],
  kindnet: [...ON_AWS, ...ON_AZURE, ...ON_GOOGLE, 'openshift'],
};

export const excludesCni = (platform: Platform, cni: Cni): boolean => CNI_EXCLUDES[cni]?.includes(platform) ?? false;

/** The largest packet between nodes of a cloud. Source: Google Cloud, VPC, MTU; AWS, EC2, jumbo frames. */
export const largestPacket = (platform: Platform): number | undefined =>
  isGke(platform) ? 8896 : platform === 'eks' ? 9001 : undefined;

/** The bytes that WireGuard adds to a packet, over IPv4. */
export const WIREGUARD_BYTES = 60;

/** The managed clouds, by how annotations and classes of their load balancers begin. */
const CLOUDS: readonly (readonly [start: RegExp, cloud: string, platforms: readonly Platform[]])[] = [
  [/^service\.beta\.kubernetes\.io\/aws-|^service\.k8s\.aws\/|^eks\.amazonaws\.com\//, 'AWS', ON_AWS],
  [/^service\.beta\.kubernetes\.io\/azure-/, 'Azure', ON_AZURE],
  [/^(cloud\.google\.com|networking\.gke\.io)\//, 'Google', ON_GOOGLE],
];

/** The cloud that alone understands an annotation or a class, when the platform is in another one. */
export function otherCloudOf(platform: Platform, key: string): string | undefined {
  const [, cloud, platforms = []] = CLOUDS.find(([start]) => start.test(key)) ?? [];
  return isManaged(platform) && !platforms.includes(platform) ? cloud : undefined;
}

/** Prevents the controllers of AKS from deleting virtual nodes. Source: pkg/liqoctl/install/aks/provider.go. */
export const AKS_NODE_LABELS: Readonly<Record<string, string>> = { 'kubernetes.azure.com/managed': 'false' };

import { DEFAULT_RELEASE, isOlder, RELEASE_LINES, type Release, type ReleaseLine } from './release.ts';

/** The values of a trait, one column per release line. */
type Row = Readonly<Record<ReleaseLine, boolean>>;

/**
 * The behaviours of Liqo that weft relies on, one row each. The columns were read from the tags v1.0.3, v1.1.2 and
 * v1.2.0 of liqotech/liqo.
 */
const TRAITS = {
  /**
   * The chart accepts a list of pod CIDRs of the cluster; before, it accepts one.
   * Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml (ipam.podCIDRs).
   */
  takesSeveralPodCIDRs: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * Every pod CIDR of a peer is remapped and routed; before, only the first one of a Configuration.
   * Source: liqotech/liqo@v1.2.0 and @v1.1.2 (GetPrimary)
   * pkg/liqo-controller-manager/networking/external-network/remapping/cidr.go.
   */
  remapsEveryPodCIDR: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * The name of the Network for a CIDR of a Configuration contains the CIDR.
   * Source: liqotech/liqo@v1.2.0 and @v1.1.2 pkg/liqo-controller-manager/networking/external-network/configuration/network.go.
   */
  namesPeerNetworksByCIDR: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * The Network of a reserved subnet is named after its CIDR; before, after its position in the list.
   * Source: liqotech/liqo@v1.2.0 and @v1.1.2 deployments/liqo/templates/liqo-ipam-networks.yaml.
   */
  namesReservedNetworksByCIDR: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * The names of the masquerade bypass rules contain CIDRs.
   * Source: liqotech/liqo@v1.2.0 and @v1.1.2 pkg/liqo-controller-manager/networking/internal-network/configuration-controller/firewall.go.
   */
  namesBypassRulesByCIDR: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * The Networks of the cluster's own pods, services and reserved subnets have the label that shares them.
   * Source: liqotech/liqo@v1.2.0 and @v1.1.2 deployments/liqo/templates/liqo-ipam-networks.yaml.
   */
  labelsSharedNetworks: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * An explicit external or internal CIDR is used exactly or is an error, and only an empty value lets Liqo move its
   * default; before, every value is moved when it collides.
   * Source: liqotech/liqo@v1.2.0 and @v1.1.2 deployments/liqo/templates/liqo-ipam-networks.yaml (network-not-remapped).
   */
  pinsExplicitOwnCIDRs: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * liqoctl labels tenant namespaces for Pod Security, so that gateways are admitted; before, it does not.
   * Source: liqotech/liqo@v1.2.0 and @v1.1.2 pkg/tenantNamespace/namespaceManager.go.
   */
  labelsNamespacesForPodSecurity: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * A Configuration gets a condition when its Networks exist; before, it gets a label.
   * Source: liqotech/liqo@v1.2.0 apis/networking/v1beta1/configuration_types.go, @v1.1.2
   * pkg/liqo-controller-manager/networking/external-network/configuration/label.go.
   */
  reportsReadinessAsCondition: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * The gateway has no rule for a CIDR that the cluster sees unchanged; before, it has a rule without effect.
   * Source: liqotech/liqo@v1.2.0 and @v1.1.2 pkg/liqo-controller-manager/networking/external-network/remapping/cidr.go.
   */
  omitsIdentityRules: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * GatewayServer has `spec.serviceAnnotations`; before, annotations of the Service belong into the template.
   * Source: liqotech/liqo@v1.2.0 apis/networking/v1beta1/gatewayserver_types.go.
   */
  annotatesGatewayServices: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * Endpoints of other providers can be sent unchanged, and the receiver maps them over its own link.
   * Source: liqotech/liqo@v1.2.0 pkg/consts/replication.go (UseDirectConnectionAnnotationKey).
   */
  hasDirectConnections: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * A rule of a FirewallConfiguration may match ports. Before, the gateway dereferences the address of a match without one, and
   * stops. Source: liqotech/liqo@v1.0.3 pkg/firewall/utils/match.go, fixed in v1.1.0.
   */
  hasFences: { '1.0': false, '1.1': true, '1.2': true },
  /**
   * The operator of ForeignClusterConnections finds the Networks from which it reads CIDRs: it looks for `<peer>-pod`.
   * Source: the names of Networks, see `namesPeerNetworksByCIDR`.
   */
  worksWithShortcutOperator: { '1.0': true, '1.1': true, '1.2': false },
  /**
   * The chart labels the pod of a gateway with one replica as the active one; before, the elected leader does it.
   * Source: liqotech/liqo@v1.1.2 and @v1.0.3 deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml.
   */
  labelsSingleGatewayActive: { '1.0': false, '1.1': true, '1.2': true },
  /**
   * The chart sets `--leader-election` in all three containers of a gateway; before, in one, which always elects.
   * Source: liqotech/liqo@v1.1.2 and @v1.0.3 deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml.
   */
  setsElectionInEveryContainer: { '1.0': false, '1.1': true, '1.2': true },
  /**
   * The gateway has the flags `--enable-nft-monitor` and `--enable-route-monitor`.
   * Source: liqotech/liqo@v1.1.2 and @v1.0.3 deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml.
   */
  monitorsRulesAndRoutes: { '1.0': false, '1.1': true, '1.2': true },
  /**
   * A server keeps the endpoint that it has learned from its client, and has a flag for that.
   * Source: liqotech/liqo@v1.2.0 and @v1.1.2 deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml.
   */
  preservesClientEndpoint: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * Gateways clamp the TCP segment size to the MTU of the tunnel.
   * Source: liqotech/liqo@v1.1.2 deployments/liqo/templates/liqo-gw-mssclamp-firewallconfiguration.yaml.
   */
  clampsSegmentSize: { '1.0': false, '1.1': true, '1.2': true },
  /**
   * A provider lets the group of a consumer read metrics even if no keys were exchanged.
   * Source: liqotech/liqo@v1.1.0 and @v1.0.3 pkg/liqo-controller-manager/authentication/tenant-controller.
   */
  bindsMetricsWithoutHandshake: { '1.0': false, '1.1': true, '1.2': true },
  /**
   * The chart can set the priority of the routing rules on nodes.
   * Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml (networking.fabric.config.routeConfigurationRulePriority).
   */
  ordersRoutingRules: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * On EKS the load balancer checks the gateway's own health endpoint; before, a container beside it answers.
   * Source: liqotech/liqo@v1.2.0 pkg/liqoctl/install/eks/provider.go, @v1.1.2
   * deployments/liqo/templates/liqo-wireguard-gateway-server-template-eks.yaml.
   */
  answersHealthChecksOverHTTP: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * On EKS liqoctl requests the load balancer of Kubernetes' own controller.
   * Source: liqotech/liqo@v1.0.3 and @v1.1.2 pkg/liqoctl/install/eks/provider.go.
   */
  annotatesInTreeLoadBalancers: { '1.0': true, '1.1': false, '1.2': false },
  /**
   * A provider signs a consumer's request again before its certificate expires, and the consumer copies the new certificate
   * into its Identity, through a Renew at both ends; both clusters need this trait. Before, a provider returns its first
   * certificate for ever.
   * Source: liqotech/liqo@v1.2.0 and @v1.1.2 pkg/liqo-controller-manager/authentication (tenant-controller,
   * localrenewer-controller).
   */
  renewsCertificates: { '1.0': false, '1.1': false, '1.2': true },
  /**
   * A provider lets the virtual kubelets of a consumer with credentials read its metrics, like those of any other
   * consumer.
   * Source: liqotech/liqo@v1.1.2 and @v1.0.3
   * pkg/liqo-controller-manager/authentication/tenant-controller/tenant_controller.go.
   */
  bindsConsumersWithCredentials: { '1.0': false, '1.1': true, '1.2': true },
} as const satisfies Readonly<Record<string, Row>>;

export type TraitName = keyof typeof TRAITS;

/** The traits of one release line. Every cluster of the model has them as `cluster.traits`. */
export type ReleaseTraits = Readonly<Record<TraitName, boolean>>;

export const traitsOf = (line: ReleaseLine): ReleaseTraits => BY_LINE[line];

/** The release lines with a trait, oldest first, for messages. */
export const linesWith = (trait: TraitName): readonly ReleaseLine[] =>
  RELEASE_LINES.filter((line) => TRAITS[trait][line]);

/** The oldest release line with a trait, for messages. Every trait belongs to at least one line. */
export const firstLineWith = (trait: TraitName): ReleaseLine => linesWith(trait)[0] ?? DEFAULT_RELEASE.line;

function columnOf(line: ReleaseLine): ReleaseTraits {
  // The type of `Object.fromEntries` does not keep the keys.
  return Object.fromEntries(Object.entries(TRAITS).map(([name, row]) => [name, row[line]])) as ReleaseTraits;
}

/** Computed once per line, so that all clusters of a line share one object. */
const BY_LINE: Readonly<Record<ReleaseLine, ReleaseTraits>> = {
  '1.0': columnOf('1.0'),
  '1.1': columnOf('1.1'),
  '1.2': columnOf('1.2'),
};

/** The first release whose Tenants accept keys in PEM and every raw key. */
const FIRST_WITH_PEM = '1.0.2';

/** The form of a consumer's key in a Tenant. */
interface KeyInTenant {
  readonly form: 'raw' | 'pem';
  readonly lastByte: number;
}

/**
 * Returns why a provider of this release refuses a key; `undefined` if it accepts it. Up to 1.0.1 only the 32 bytes of
 * an Ed25519 key are read, and a last byte of zero is dropped before they are compared with those of the request.
 * Source: liqotech/liqo@v1.0.0 and @v1.0.2 pkg/liqo-controller-manager/authentication/csr.go.
 */
export function refusedKeyForm(
  { version }: Release,
  { form, lastByte }: KeyInTenant,
): 'pem' | 'ends-in-zero' | undefined {
  if (!isOlder(version, FIRST_WITH_PEM)) return undefined;
  if (form === 'pem') return 'pem';
  return lastByte === 0 ? 'ends-in-zero' : undefined;
}

/** A kind of object that bundles contain, or that Liqo creates from them. */
export interface ComparedKind {
  /** Printed by `kindKey`. */
  readonly key: string;
  /** The name by which kubectl lists it. */
  readonly resource: string;
  /**
   * The objects that must be in git: all, only tenant namespaces, only fences and policies of weft, or none, because the chart, Liqo or a user creates
   * others. Objects beyond these are drift.
   */
  readonly extras: 'all' | 'tenant-namespaces' | 'boundaries' | 'none';
  /** Lists only objects with these labels; weft ignores the others of the kind. */
  readonly selector?: string;
}

type More = Partial<Pick<ComparedKind, 'extras' | 'selector'>>;

const kind = (key: string, plural: string, { extras = 'none', ...more }: More = {}): ComparedKind => ({
  key,
  resource: key.includes('.') ? `${plural}${key.slice(key.indexOf('.'))}` : plural,
  extras,
  ...more,
});

const OURS = { extras: 'all' } as const;
/** One list: of Liqo itself, for its release and the pools of its IPAM, and of the probers of weft. */
const OF_LIQO_OR_WEFT = { selector: 'app.kubernetes.io/part-of in (liqo,weft)' } as const;
/** A fence or a policy that git does not have any more stays in force. */
const OF_BOUNDARIES = { extras: 'boundaries' } as const;
const ABOUT_REMOTES = { selector: 'liqo.io/remote-cluster-id' } as const;

/** The CRDs' names, such as `publickeies`. Source: liqotech/liqo@v1.2.0 deployments/liqo/charts/liqo-crds/crds. */
export const COMPARED_KINDS: readonly ComparedKind[] = [
  kind('Namespace', 'namespaces', { extras: 'tenant-namespaces' }),
  // Only their names: the values are dropped when they are read.
  kind('Secret', 'secrets', ABOUT_REMOTES),
  kind('ServiceAccount', 'serviceaccounts'),
  kind('RoleBinding.rbac.authorization.k8s.io', 'rolebindings', ABOUT_REMOTES),
  kind('ClusterRoleBinding.rbac.authorization.k8s.io', 'clusterrolebindings', ABOUT_REMOTES),
  kind('Deployment.apps', 'deployments', { selector: 'liqo.io/virtual-node' }),
  // In a second list of this kind.
  kind('Deployment.apps', 'deployments', OF_LIQO_OR_WEFT),
  kind('Service', 'services', OF_LIQO_OR_WEFT),
  // Those of others limit connections between clusters, too.
  kind('NetworkPolicy.networking.k8s.io', 'networkpolicies', OF_BOUNDARIES),
  kind('Configuration.networking.liqo.io', 'configurations', OURS),
  // Those that Liqo creates for Configurations; there are others.
  kind('FirewallConfiguration.networking.liqo.io', 'firewallconfigurations', OF_BOUNDARIES),
  kind('RouteConfiguration.networking.liqo.io', 'routeconfigurations'),
  kind('PublicKey.networking.liqo.io', 'publickeies', OURS),
  kind('GatewayServer.networking.liqo.io', 'gatewayservers', OURS),
  kind('GatewayClient.networking.liqo.io', 'gatewayclients', OURS),
  kind('Connection.networking.liqo.io', 'connections', OURS),
  kind('Network.ipam.liqo.io', 'networks', OURS),
  // The chart and users create others.
  kind('WgGatewayServerTemplate.networking.liqo.io', 'wggatewayservertemplates'),
  kind('WgGatewayClientTemplate.networking.liqo.io', 'wggatewayclienttemplates'),
  kind('ForeignClusterConnection.networking.liqo.io', 'foreignclusterconnections', OURS),
  // Each of these allows a loan, is a loan, or offloads.
  kind('Tenant.authentication.liqo.io', 'tenants', OURS),
  kind('Identity.authentication.liqo.io', 'identities', OURS),
  kind('ResourceSlice.authentication.liqo.io', 'resourceslices', OURS),
  kind('VirtualNode.offloading.liqo.io', 'virtualnodes', OURS),
  kind('NamespaceOffloading.offloading.liqo.io', 'namespaceoffloadings', OURS),
  // Liqo creates and removes these with the ones above.
  kind('Renew.authentication.liqo.io', 'renews'),
  kind('Quota.offloading.liqo.io', 'quotas'),
  kind('NamespaceMap.offloading.liqo.io', 'namespacemaps'),
  kind('ForeignCluster.core.liqo.io', 'foreignclusters'),
  // The chart creates it, with the virtual kubelet options, which an import reads.
  kind('VkOptionsTemplate.offloading.liqo.io', 'vkoptionstemplates'),
  kind('PrometheusRule.monitoring.coreos.com', 'prometheusrules'),
  kind('ExternalSecret.external-secrets.io', 'externalsecrets'),
];

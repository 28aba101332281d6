/** A kind of object that bundles contain, or that Liqo makes of them. */
export interface ComparedKind {
  /** As `kindKey` prints it. */
  readonly key: string;
  /** The name by which kubectl lists it. */
  readonly resource: string;
  /**
   * Which of these objects git has to have: all of them, those in charge of a remote cluster, or none, because the chart, Liqo
   * or a user makes others. Whatever of them git does not have is drift.
   */
  readonly extras: 'all' | 'tenant-namespaces' | 'none';
  /** Only objects with these labels are listed: the others of that kind are not weft's business. */
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
const ABOUT_REMOTES = { selector: 'liqo.io/remote-cluster-id' } as const;

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/charts/liqo-crds/crds, for the names. The plural of PublicKey is as it is there. */
export const COMPARED_KINDS: readonly ComparedKind[] = [
  kind('Namespace', 'namespaces', { extras: 'tenant-namespaces' }),
  // Only what they are called: their values are dropped when they are read.
  kind('Secret', 'secrets', ABOUT_REMOTES),
  kind('ServiceAccount', 'serviceaccounts'),
  kind('RoleBinding.rbac.authorization.k8s.io', 'rolebindings', ABOUT_REMOTES),
  kind('ClusterRoleBinding.rbac.authorization.k8s.io', 'clusterrolebindings', ABOUT_REMOTES),
  kind('Deployment.apps', 'deployments', { selector: 'liqo.io/virtual-node' }),
  // Those of Liqo itself: its release, and the pools of its IPAM. A second list of the same kind.
  kind('Deployment.apps', 'deployments', { selector: 'app.kubernetes.io/part-of=liqo' }),
  kind('Configuration.networking.liqo.io', 'configurations', OURS),
  // What Liqo makes of Configurations; it makes others of what runs.
  kind('FirewallConfiguration.networking.liqo.io', 'firewallconfigurations'),
  kind('PublicKey.networking.liqo.io', 'publickeies', OURS),
  kind('GatewayServer.networking.liqo.io', 'gatewayservers', OURS),
  kind('GatewayClient.networking.liqo.io', 'gatewayclients', OURS),
  kind('Connection.networking.liqo.io', 'connections', OURS),
  kind('Network.ipam.liqo.io', 'networks', OURS),
  // Those of the chart and of users are beside them.
  kind('WgGatewayServerTemplate.networking.liqo.io', 'wggatewayservertemplates'),
  kind('WgGatewayClientTemplate.networking.liqo.io', 'wggatewayclienttemplates'),
  kind('ForeignClusterConnection.networking.liqo.io', 'foreignclusterconnections', OURS),
  // Whoever has one of these may borrow, borrows, or offloads.
  kind('Tenant.authentication.liqo.io', 'tenants', OURS),
  kind('Identity.authentication.liqo.io', 'identities', OURS),
  kind('ResourceSlice.authentication.liqo.io', 'resourceslices', OURS),
  kind('VirtualNode.offloading.liqo.io', 'virtualnodes', OURS),
  kind('NamespaceOffloading.offloading.liqo.io', 'namespaceoffloadings', OURS),
  // Liqo makes and removes these with the ones above.
  kind('Renew.authentication.liqo.io', 'renews'),
  kind('Quota.offloading.liqo.io', 'quotas'),
  kind('NamespaceMap.offloading.liqo.io', 'namespacemaps'),
  kind('ForeignCluster.core.liqo.io', 'foreignclusters'),
  // Of the chart, which says there how virtual kubelets work: an import reads it.
  kind('VkOptionsTemplate.offloading.liqo.io', 'vkoptionstemplates'),
  kind('PrometheusRule.monitoring.coreos.com', 'prometheusrules'),
  kind('ExternalSecret.external-secrets.io', 'externalsecrets'),
];

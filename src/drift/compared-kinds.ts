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

const kind = (key: string, resource: string, extras: ComparedKind['extras']): ComparedKind => ({
  key,
  resource: `${resource}${key.slice(key.indexOf('.'))}`,
  extras,
});

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/charts/liqo-crds/crds, for the names. The plural of PublicKey is as it is there. */
export const COMPARED_KINDS: readonly ComparedKind[] = [
  { key: 'Namespace', resource: 'namespaces', extras: 'tenant-namespaces' },
  kind('Configuration.networking.liqo.io', 'configurations', 'all'),
  kind('PublicKey.networking.liqo.io', 'publickeies', 'all'),
  kind('GatewayServer.networking.liqo.io', 'gatewayservers', 'all'),
  kind('GatewayClient.networking.liqo.io', 'gatewayclients', 'all'),
  kind('Connection.networking.liqo.io', 'connections', 'all'),
  kind('Network.ipam.liqo.io', 'networks', 'all'),
  // Those of the chart and of users are beside them.
  kind('WgGatewayServerTemplate.networking.liqo.io', 'wggatewayservertemplates', 'none'),
  kind('WgGatewayClientTemplate.networking.liqo.io', 'wggatewayclienttemplates', 'none'),
  kind('ForeignClusterConnection.networking.liqo.io', 'foreignclusterconnections', 'all'),
];

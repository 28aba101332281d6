import { field, NETWORKING, ownedBy, REMOTE } from '../objects.ts';
import { type Controller, itself } from './controller.ts';
import { ensure } from './ensure.ts';

/** From a gateway into its tunnel: for packets of every node, to the real networks of the peer. */
export const tunnelRoutes: Controller = {
  name: 'tunnel-route',
  watches: {
    Configuration: itself,
    InternalNode: (_, { server }) => server.list('Configuration').flatMap(itself),
    GatewayServer: (it, { server }) =>
      server.list('Configuration', { [REMOTE]: it.metadata.labels?.[REMOTE] ?? '' }).flatMap(itself),
    GatewayClient: (it, { server }) =>
      server.list('Configuration', { [REMOTE]: it.metadata.labels?.[REMOTE] ?? '' }).flatMap(itself),
  },
  reconcile(cluster, namespace, name) {
    const { server } = cluster;
    const configuration = server.get('Configuration', name, namespace);
    if (configuration === undefined || !cluster.isReady(configuration)) return true;
    const remote = configuration.metadata.labels?.[REMOTE] ?? '';
    const isServer = server.list('GatewayServer', { [REMOTE]: remote }).length > 0;
    if (!isServer && server.list('GatewayClient', { [REMOTE]: remote }).length === 0) return false;
    const gw = isServer ? '169.254.18.2' : '169.254.18.1';
    const real = (['pod', 'external'] as const).flatMap(
      (it) => field<readonly string[]>(configuration, 'spec', 'remote', 'cidr', it) ?? [],
    );
    const rules = server.list('InternalNode').flatMap((node) => {
      const iif = field<string>(node, 'spec', 'interface', 'gateway', 'name');
      return real.map((dst) => ({ dst, iif, routes: [{ dst, gw }] }));
    });
    ensure(server, {
      apiVersion: NETWORKING,
      kind: 'RouteConfiguration',
      metadata: {
        name: `${name}-gw-ext`,
        namespace,
        labels: { 'networking.liqo.io/route-category': 'gateway', 'networking.liqo.io/route-unique': remote },
        ownerReferences: [ownedBy(configuration)],
      },
      spec: { table: { name, rules } },
    });
    return true;
  },
};

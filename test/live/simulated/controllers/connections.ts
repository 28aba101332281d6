import { NETWORKING, REMOTE } from '../objects.ts';
import { activePod } from './active-pod.ts';
import { type Controller, itself } from './controller.ts';

/**
 * The Connection that the pod of a gateway writes once it has the key of the other end. Source: liqotech/liqo@v1.2.0
 * pkg/gateway/tunnel/wireguard/k8s.go `EnsureConnection`.
 */
export const connections: Controller = {
  name: 'connection',
  watches: {
    GatewayServer: itself,
    GatewayClient: itself,
    PublicKey: (it, { server }) =>
      ['GatewayServer', 'GatewayClient'].flatMap((kind) =>
        server
          .list(kind)
          .filter(({ metadata }) => metadata.namespace === it.metadata.namespace)
          .flatMap(itself),
      ),
  },
  reconcile(cluster, namespace, name) {
    const { server } = cluster;
    const gateway = server.get('GatewayServer', name, namespace) ?? server.get('GatewayClient', name, namespace);
    if (cluster.connections === 'none' || gateway === undefined) return true;
    const remote = gateway.metadata.labels?.[REMOTE] ?? '';
    const keys = server.list('PublicKey', { [REMOTE]: remote }).filter((it) => it.metadata.namespace === namespace);
    if (keys.length === 0 || activePod(server, namespace) === undefined) return false;
    if (server.get('Connection', `gw-${name}`, namespace) !== undefined) return true;
    const { apiVersion, kind } = gateway;
    const uid = gateway.metadata.uid ?? '';
    const isUp = cluster.connections === 'connected';
    server.create({
      apiVersion: NETWORKING,
      kind: 'Connection',
      metadata: {
        name: `gw-${name}`,
        namespace,
        labels: { [REMOTE]: remote },
        ownerReferences: [{ apiVersion, kind, name, uid }],
      },
      spec: {
        type: kind === 'GatewayServer' ? 'Server' : 'Client',
        gatewayRef: { apiVersion: NETWORKING, kind: `Wg${kind}`, name, namespace, uid },
      },
      status: isUp
        ? { value: 'Connected', latency: { value: '1.2ms', timestamp: server.now() } }
        : { value: 'Connecting', latency: {} },
    });
    return true;
  },
};

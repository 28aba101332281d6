import { controlledBy, type Fields, field, NETWORKING, REMOTE, type SimulatedObject } from '../objects.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';
import { type Controller, itself } from './controller.ts';
import { ensure } from './ensure.ts';
import { fabricAddress, interfaceName } from './fabric-addresses.ts';

const FINALIZER = 'networking.liqo.io/internal-fabric-geneve-tunnel-finalizer';

const gatewaysOf = (configuration: SimulatedObject, { server }: SimulatedCluster): readonly string[] =>
  ['GatewayServer', 'GatewayClient'].flatMap((kind) =>
    server.list(kind, { [REMOTE]: configuration.metadata.labels?.[REMOTE] ?? '' }).flatMap(itself),
  );

/**
 * The way from the nodes to a gateway that runs, and from it to its peer.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/internal-network/{server-controller,client-controller,
 * internalfabric-controller}, external-network/route.
 */
export const internalFabrics: Controller = {
  name: 'internal-fabric',
  watches: {
    GatewayServer: itself,
    GatewayClient: itself,
    Configuration: gatewaysOf,
    InternalFabric: (it, { server }) =>
      ['GatewayServer', 'GatewayClient'].flatMap((kind) =>
        server.list(kind, { [REMOTE]: it.metadata.labels?.[REMOTE] ?? '' }).flatMap(itself),
      ),
  },
  reconcile(cluster, namespace, name) {
    const { server } = cluster;
    const gateway = server.get('GatewayServer', name, namespace) ?? server.get('GatewayClient', name, namespace);
    if (gateway === undefined) return release(cluster, namespace);
    const remote = gateway.metadata.labels?.[REMOTE] ?? '';
    const [configuration] = server.list('Configuration', { [REMOTE]: remote });
    const gatewayIP = field<string>(gateway, 'status', 'internalEndpoint', 'ip');
    if (configuration === undefined || !cluster.isReady(configuration) || gatewayIP === undefined) return false;
    const found = server.get('InternalFabric', remote, namespace);
    // An object has one controller; the second gateway of a peer waits for ever.
    const [owner] = (found?.metadata.ownerReferences ?? []).filter((it) => it.controller);
    if (owner !== undefined && owner.uid !== gateway.metadata.uid) return false;
    const ip = field<string>(found, 'spec', 'interface', 'gateway', 'ip') ?? fabricAddress(cluster);
    const device = field<string>(found, 'spec', 'interface', 'node', 'name') ?? interfaceName(server);
    if (ip === undefined) return false;
    const remoteCIDRs = (['pod', 'external'] as const).flatMap(
      (it) => field<readonly string[]>(configuration, 'status', 'remote', 'cidr', it) ?? [],
    );
    const fabric = ensure(server, {
      apiVersion: NETWORKING,
      kind: 'InternalFabric',
      metadata: {
        name: remote,
        namespace,
        labels: { [REMOTE]: remote },
        finalizers: [FINALIZER],
        ownerReferences: [controlledBy(gateway)],
      },
      spec: {
        gatewayIP,
        interface: { gateway: { ip }, node: { name: device } },
        mtu: gateway.spec?.['mtu'],
        remoteCIDRs,
      },
    });
    ensureTunnels(cluster, fabric);
    ensure(server, nodeRoutes(fabric, ip, device, remoteCIDRs));
    return true;
  },
};

/** Lets the fabrics go whose gateways are gone. */
function release({ server }: SimulatedCluster, namespace: string): boolean {
  const leaving = server
    .list('InternalFabric')
    .filter((it) => it.metadata.namespace === namespace && it.metadata.deletionTimestamp !== undefined);
  for (const one of leaving) {
    server.update(one, (it) => {
      it.metadata.finalizers = [];
    });
  }
  return true;
}

function ensureTunnels({ server }: SimulatedCluster, fabric: SimulatedObject): void {
  const { name, namespace = '' } = fabric.metadata;
  for (const { metadata } of server.list('InternalNode')) {
    const tunnelName = `${name}-${metadata.name}`;
    if (server.get('GeneveTunnel', tunnelName, namespace) !== undefined) continue;
    const used = new Set(server.list('GeneveTunnel').map((it) => it.spec?.['id']));
    let id = 0;
    while (used.has(id)) id++;
    server.create({
      apiVersion: NETWORKING,
      kind: 'GeneveTunnel',
      metadata: {
        name: tunnelName,
        namespace,
        labels: {
          'networking.liqo.io/internal-fabric-name': name,
          'networking.liqo.io/internal-node-name': metadata.name,
        },
        ownerReferences: [controlledBy(fabric)],
      },
      spec: { id, internalFabricRef: { name, namespace }, internalNodeRef: { name: metadata.name } },
    });
  }
}

function nodeRoutes(
  fabric: SimulatedObject,
  gateway: string,
  device: string,
  remoteCIDRs: readonly string[],
): SimulatedObject {
  const { name, namespace = '' } = fabric.metadata;
  const self = { dst: `${gateway}/32`, routes: [{ dst: `${gateway}/32`, dev: device, scope: 'link' }] };
  const rules: readonly Fields[] = [
    self,
    ...[...remoteCIDRs].sort().map((dst) => ({ dst, routes: [{ dst, gw: gateway }] })),
  ];
  return {
    apiVersion: NETWORKING,
    kind: 'RouteConfiguration',
    metadata: {
      name: `${name}-node-gw`,
      namespace,
      labels: { 'networking.liqo.io/route-category': 'fabric' },
      ownerReferences: [controlledBy(fabric)],
    },
    spec: { table: { name: `${name}-node-gw`, rules } },
  };
}

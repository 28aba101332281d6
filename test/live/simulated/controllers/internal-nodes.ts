import { firstAddressOf } from '../cidr.ts';
import { type Fields, field, NETWORKING, ownedBy, type SimulatedObject } from '../objects.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';
import type { Controller } from './controller.ts';
import { ensure } from './ensure.ts';
import { fabricAddress, interfaceName } from './fabric-addresses.ts';
import { address, chain, device, table } from './firewall-tables.ts';

const NODES = ['node-1', 'node-2'];
const everyNode = (): readonly string[] => NODES.map((it) => `/${it}`);

/**
 * One InternalNode for each node, and the routes by which answers find the node that asked.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/internal-network/{node-controller,route}.
 */
export const internalNodes: Controller = {
  name: 'internal-node',
  watches: { Network: everyNode, Configuration: everyNode, IP: everyNode, Pod: everyNode },
  reconcile(cluster, _, name) {
    const { server, namespace } = cluster;
    const external = field<string>(server.get('Network', 'external-cidr', namespace), 'status', 'cidr');
    const found = server.get('InternalNode', name);
    const ip = field<string>(found, 'spec', 'interface', 'node', 'ip') ?? fabricAddress(cluster);
    if (external === undefined || ip === undefined) return false;
    const gateway = field<string>(found, 'spec', 'interface', 'gateway', 'name') ?? interfaceName(server);
    const node = ensure(server, {
      apiVersion: NETWORKING,
      kind: 'InternalNode',
      metadata: { name, finalizers: ['internalnodes-route.liqo.io/finalizer'] },
      spec: { interface: { gateway: { name: gateway }, node: { ip } } },
    });
    markConnections(cluster, firstAddressOf(external));
    const mark = NODES.indexOf(name) + 1;
    const back = firstAddressOf(external);
    const via = { dev: gateway, gw: ip };
    const route = (what: string, labels: Fields, rules: readonly Fields[], table_ = `${name}-${what}`): void => {
      ensure(server, {
        apiVersion: NETWORKING,
        kind: 'RouteConfiguration',
        metadata: {
          name: `${name}-${what}`,
          namespace,
          labels: { 'networking.liqo.io/route-category': 'gateway', ...labels },
          ownerReferences: [ownedBy(node)],
        },
        spec: { table: { name: table_, rules } },
      });
    };
    const fabric = { 'networking.liqo.io/route-subcategory': 'fabric' };
    const dst = `${back}/32`;
    const target = { targetRef: { kind: 'InternalNode', name } };
    route('service-nodeport-routing', fabric, [{ fwmark: mark, dst, routes: [{ dst, ...via }], ...target }]);
    const ofNode = {
      'networking.liqo.io/route-subcategory': 'fabric-node',
      'networking.liqo.io/route-unique': name,
    };
    route('extcidr', ofNode, peerRules(cluster, via));
    const pods = podRoutes(cluster, name, ip);
    if (pods.length > 0) {
      const self = { dst: `${ip}/32`, routes: [{ dst: `${ip}/32`, dev: gateway, scope: 'link' }] };
      route('gw-node', fabric, [self, { iif: 'liqo-tunnel', routes: pods }], name);
    }
    return true;
  },
};

/** Packets from a tunnel to any peer's pods, or to an address that is mapped elsewhere. */
function peerRules(cluster: SimulatedCluster, via: Fields): readonly Fields[] {
  const { server } = cluster;
  const views = server
    .list('Configuration')
    .filter((it) => cluster.isReady(it))
    .flatMap((it) => field<readonly string[]>(it, 'status', 'remote', 'cidr', 'pod') ?? []);
  const addresses = server.list('IP').filter((it) => it.status !== undefined);
  return [
    ...views.map((dst) => ({ dst, iif: 'liqo-tunnel', routes: [{ dst, ...via }] })),
    { iif: 'liqo-tunnel', routes: addresses.map((it) => ({ dst: `${String(it.spec?.['ip'])}/32`, ...via })) },
  ];
}

const podRoutes = ({ server }: SimulatedCluster, node: string, gw: string): readonly Fields[] =>
  server
    .list('Pod')
    .filter((it) => field(it, 'spec', 'nodeName') === node)
    .map((it) => {
      const { name, namespace, uid } = it.metadata;
      const dst = `${field<string>(it, 'status', 'podIP')}/32`;
      return { dst, gw, targetRef: { kind: 'Pod', name, namespace, uid } };
    });

function markConnections({ server, namespace, release }: SimulatedCluster, back: string): void {
  const counter = release === '1.0' ? {} : { counter: false };
  const marks = server.list('InternalNode').map(({ metadata, spec }: SimulatedObject) => ({
    name: metadata.name,
    action: 'ctmark',
    value: String(NODES.indexOf(metadata.name) + 1),
    ...counter,
    match: [address('src', back), device('in', String(field(spec, 'interface', 'gateway', 'name')))],
  }));
  const restore = {
    name: 'conntrack-mark-to-meta-mark',
    action: 'metamarkfromctmark',
    ...counter,
    match: [address('dst', back), device('in', 'liqo-tunnel')],
  };
  ensure(server, {
    apiVersion: NETWORKING,
    kind: 'FirewallConfiguration',
    metadata: {
      name: 'service-nodeport-routing',
      namespace,
      labels: {
        'networking.liqo.io/firewall-category': 'gateway',
        'networking.liqo.io/firewall-subcategory': 'fabric',
      },
    },
    spec: table('service-nodeport-routing', [
      chain('mark-to-conntrack', 'filter forward', marks),
      chain('conntrack-mark-to-meta-mark', 'filter prerouting', [restore]),
    ]),
  });
}

import { printBundlePath } from '../../base/core/bundle-path.ts';
import { nodeSnippet } from '../../bundle/nftables/render-snippets.ts';
import { viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { Fleet } from '../../fleet/model/network-model.ts';
import {
  deviceToGateway,
  gatewayAddress,
  LOOPBACK,
  NODES,
  type NodeNumber,
  nodeAddress,
  nodeNamespace,
  POD_NODE,
  podAddresses,
} from './lab-names.ts';
import {
  type Flow,
  type LabNamespace,
  type LabPlan,
  PROTOCOLS,
  type Probe,
  type Protocol,
  type Route,
} from './lab-plan.ts';
import { ipMappings, type LabCluster, type LabScope } from './lab-scope.ts';
import { listFlows } from './list-flows.ts';
import { type PlannedGateway, planGateway, seenPings } from './plan-gateway.ts';
import { planUnderlay, type Underlay } from './plan-underlay.ts';

/** The namespaces, cables, tunnels and exchanges that test whether a fleet works as compiled. */
export function planLab(scope: LabScope): LabPlan {
  const underlay = planUnderlay(scope);
  const gateways = planGateways(scope, underlay);
  const { fleet } = scope.model;
  const { flows, unsent } = listFlows(scope);
  return {
    namespaces: [
      underlay.namespace,
      ...scope.clusters.flatMap((it) => NODES.map((node) => planNode(it, node, fleet))),
      ...gateways.map((it) => it.namespace),
    ],
    cables: [...underlay.cables, ...gateways.flatMap((it) => it.cables)],
    tunnels: gateways.map((it) => it.tunnel),
    hosts: scope.clusters.map(({ cluster }) => ({
      cluster: cluster.name,
      namespace: nodeNamespace(cluster.name, POD_NODE),
      pods: podAddresses(cluster),
    })),
    probes: listProbes(flows),
    unsent,
  };
}

function planGateways(scope: LabScope, underlay: Underlay): readonly PlannedGateway[] {
  const all = ipMappings(scope);
  return scope.clusters.flatMap((lab) => {
    const mappings = all.filter((it) => it.hub === lab.cluster.name);
    return [...lab.peers.values()].map((peer, index) => {
      return planGateway({ lab, peer, index, fleet: scope.model.fleet, underlay, mappings });
    });
  });
}

/**
 * Payload of a TCP or UDP exchange. The TCP payload needs several segments at any MTU, so that the clamped segment size
 * has an effect.
 */
const PAYLOAD_BYTES = { tcp: 8192, udp: 256 };

/**
 * Size of the smallest ping to a receiver, which has room for a timestamp. Pings to one receiver differ in their
 * length.
 */
const SMALLEST_PING_BYTES = 84;
const PING_LENGTHS = 480;

function listProbes(flows: readonly Flow[]): readonly Probe[] {
  const pings = new Map<string, number>();
  const sizeOf = (flow: Flow, protocol: Protocol): number => {
    if (protocol === 'full') return flow.mtuBytes;
    if (protocol !== 'icmp') return PAYLOAD_BYTES[protocol];
    const before = pings.get(flow.to) ?? 0;
    pings.set(flow.to, before + 1);
    return SMALLEST_PING_BYTES + (before % PING_LENGTHS);
  };
  const exchanges = flows.flatMap((flow) =>
    PROTOCOLS.filter((it) => it !== 'full' || isMeasured(flow)).map((protocol) => ({ flow, protocol })),
  );
  return exchanges.map(({ flow, protocol }, id) => ({ id, flow, protocol, sizeBytes: sizeOf(flow, protocol) }));
}

/** True when the exchange `full` measures the MTU of a link: it is sent from a pod, over that link alone. */
const isMeasured = ({ hub, sender }: Flow): boolean => hub === null && sender === 'pod';

/**
 * A node with routes to each gateway and, by way of the gateways, to the views of its cluster.
 * Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/internal-network/internalfabric-controller/route.go.
 */
function planNode(lab: LabCluster, node: NodeNumber, fleet: Fleet): LabNamespace {
  const { cluster } = lab;
  const peers = [...lab.peers.values()];
  const carriesPods = node === POD_NODE;
  const addresses = [nodeAddress(cluster, node), ...(carriesPods ? podAddresses(cluster) : [])];
  const routes = peers.flatMap((peer, index): readonly Route[] => {
    const gateway = gatewayAddress(cluster, index);
    const device = deviceToGateway(index);
    const views = viewsOf(peer);
    return [
      { table: null, to: { base: gateway, length: 32 }, via: null, device },
      ...views.map((it) => ({ table: null, to: it.seenAs, via: gateway, device })),
    ];
  });
  const emitted = peers.map((it) => ({
    name: printBundlePath({ part: 'node-rules', cluster: cluster.name, peer: it.name }),
    text: nodeSnippet(cluster, it, fleet),
  }));
  return {
    name: nodeNamespace(cluster.name, node),
    kind: 'node',
    addresses: addresses.map((address) => ({ device: LOOPBACK, address })),
    routes,
    rules: [],
    rulesets: [...emitted, ...(carriesPods ? [seenPings()] : [])],
  };
}

import { printBundlePath } from '../../base/core/bundle-path.ts';
import { nodeSnippet } from '../../bundle/nftables/render-snippets.ts';
import { type AddressedCluster, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { Fleet, Link } from '../../fleet/model/network-model.ts';
import {
  type ExpectedFlow,
  expectedFlow,
  type FlowOptions,
  knownAddresses,
  passesBoundaries,
  smallestMtu,
} from '../trace/expected-flow.ts';
import { arrives, type FateKind } from '../trace/fates.ts';
import {
  type Flow,
  type LabNamespace,
  type LabPlan,
  PROBED_PORTS,
  PROTOCOLS,
  type Probe,
  type Protocol,
  type Route,
  type Unsent,
} from './lab-plan.ts';
import {
  areApart,
  deviceToGateway,
  gatewayAddress,
  gatewayIndexes,
  hubsBetween,
  ipMappings,
  isJoined,
  type LabCluster,
  type LabScope,
  LOOPBACK,
  NODES,
  type NodeNumber,
  nodeAddress,
  nodeNamespace,
  POD_NODE,
  podAddresses,
  type ScopedIpMapping,
} from './lab-scope.ts';
import { type PlannedGateway, planGateway, seenPings } from './plan-gateway.ts';
import { planUnderlay, type Underlay } from './plan-underlay.ts';

/**
 * The namespaces, cables, tunnels and exchanges that test whether a fleet works as compiled.
 *
 * @param states all states that the lab goes through; a part that several of them have is the same in each
 */
export function planLab(scope: LabScope, states: readonly LabScope[] = [scope]): LabPlan {
  const underlay = planUnderlay(scope, states);
  const mappings = ipMappings(scope, states);
  const gateways = planGateways(scope, { underlay, mappings, states });
  const { fleet } = scope.model;
  const { flows, unsent } = listFlows(scope, { mappings, states });
  return {
    namespaces: [
      underlay.namespace,
      ...scope.clusters.flatMap((it) => NODES.map((node) => planNode(it, node, { fleet, states }))),
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

interface GatewaysRequest {
  readonly underlay: Underlay;
  readonly mappings: readonly ScopedIpMapping[];
  readonly states: readonly LabScope[];
}

function planGateways(scope: LabScope, { underlay, mappings, states }: GatewaysRequest): readonly PlannedGateway[] {
  return scope.clusters.flatMap((lab) => {
    const own = mappings.filter((it) => it.hub === lab.cluster.name);
    const indexes = gatewayIndexes(lab.cluster.name, states);
    return [...lab.peers.values()].map((peer) => {
      const index = indexes.get(peer.name) ?? 0;
      return planGateway({ lab, peer, index, model: scope.model, underlay, mappings: own });
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
  return exchanges.map(({ flow, protocol }, id) => ({
    id,
    flow,
    protocol,
    sizeBytes: sizeOf(flow, protocol),
    isRefused: flow.refused.includes(protocol),
  }));
}

/** True when the exchange `full` measures the MTU of a link: it is sent from a pod, over that link alone. */
const isMeasured = ({ hub, sender }: Flow): boolean => hub === null && sender === 'pod';

interface NodeRequest {
  readonly fleet: Fleet;
  readonly states: readonly LabScope[];
}

/**
 * A node with routes to each gateway and, by way of the gateways, to the views of its cluster.
 * Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/internal-network/internalfabric-controller/route.go.
 */
function planNode(lab: LabCluster, node: NodeNumber, { fleet, states }: NodeRequest): LabNamespace {
  const { cluster } = lab;
  const peers = [...lab.peers.values()];
  const carriesPods = node === POD_NODE;
  const addresses = [nodeAddress(cluster, node), ...(carriesPods ? podAddresses(cluster) : [])];
  const indexes = gatewayIndexes(cluster.name, states);
  const routes = peers.flatMap((peer): readonly Route[] => {
    const index = indexes.get(peer.name) ?? 0;
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

/**
 * Every flow that the fleet delivers, with the addresses that the receiver must see, and every pair without such a
 * flow.
 */
interface FlowList {
  readonly flows: readonly Flow[];
  readonly unsent: readonly Unsent[];
}

/**
 * Traces every ordered pair: over their link if there is one, otherwise through every cluster that has links to both.
 */
function listFlows(scope: LabScope, { mappings, states }: Omit<GatewaysRequest, 'underlay'>): FlowList {
  const all = scope.clusters.flatMap((from) =>
    scope.clusters.flatMap((to): readonly (Flow | Unsent)[] => {
      if (from === to) return [];
      const pair: Pair = { scope, from: from.cluster, to: to.cluster, mappings };
      const direct = isJoined(from, to) ? directFlows(pair) : [];
      const hubs = areApart(from, to, states) ? hubsBetween(scope, from, to) : [];
      const found = [...direct, ...hubs.flatMap((it) => flowsThrough(pair, it.cluster))];
      return found.length === 0 ? unsentPair(pair) : found;
    }),
  );
  const traced = new Set(all.map(({ from, to }) => pairKey(from, to)));
  const silent = scope.keyless.flatMap(unsentOver).filter(({ from, to }) => !traced.has(pairKey(from, to)));
  return {
    flows: all.filter((it): it is Flow => it.kind === 'flow'),
    unsent: [...all.filter((it): it is Unsent => it.kind === 'unsent'), ...silent],
  };
}

const pairKey = (from: string, to: string): string => `${from}/${to}`;

/** Both directions of a link without keys. Its ends may be missing from the lab. */
function unsentOver({ server, client }: Link): readonly Unsent[] {
  const [a, b] = [server.cluster.name, client.cluster.name];
  return [
    { kind: 'unsent', from: a, to: b, fate: 'no-keys' },
    { kind: 'unsent', from: b, to: a, fate: 'no-keys' },
  ];
}

interface Pair {
  readonly scope: LabScope;
  readonly from: AddressedCluster;
  readonly to: AddressedCluster;
  readonly mappings: readonly ScopedIpMapping[];
}

/** Flows from every pod, and from the node of these pods, to every pod. */
function directFlows(pair: Pair): readonly (Flow | Unsent)[] {
  const node: LabSender = { sender: 'node', source: nodeAddress(pair.from, POD_NODE) };
  return podAddresses(pair.to).flatMap((destination) =>
    [...podSenders(pair.from), node].map((it) => flowOf(pair, { ...it, destination, hub: null })),
  );
}

function flowsThrough(pair: Pair, hub: AddressedCluster): readonly (Flow | Unsent)[] {
  return podAddresses(pair.to).flatMap((destination) =>
    podSenders(pair.from).map((it) => flowOf(pair, { ...it, destination, hub })),
  );
}

interface LabSender {
  readonly sender: Flow['sender'];
  readonly source: number;
}

const podSenders = (cluster: AddressedCluster): readonly LabSender[] =>
  podAddresses(cluster).map((source) => ({ sender: 'pod', source }));

interface FlowRequest extends LabSender {
  readonly destination: number;
  readonly hub: AddressedCluster | null;
}

function flowOf({ scope, from, to, mappings }: Pair, { sender, source, destination, hub }: FlowRequest): Flow | Unsent {
  const options: FlowOptions = {
    fromAddress: source,
    toAddress: destination,
    fromNode: sender === 'node',
    ...(hub && { through: hub.name }),
    mappings: mappings.map((it) => ({ cluster: it.hub, external: it.mapped, real: it.real })),
  };
  const { boundaries, ...unlimited } = scope.model;
  const expected = expectedFlow(unlimited, from.name, to.name, options);
  const addresses = knownAddresses(expected);
  if (addresses === undefined) return { kind: 'unsent', from: from.name, to: to.name, fate: fateInLab(expected) };
  const mtuBytes = smallestMtu(from, to, hub);
  // A fleet whose links are all open has no fence.
  const limited = boundaries === undefined || boundaries.incoming.size === 0 ? [] : PROTOCOLS;
  const refused = limited.filter((protocol) => {
    const transport = { ...TRANSPORTS[protocol], port: PROBED_PORTS[sender] };
    return !passesBoundaries(scope.model, { from: from.name, to: to.name, options, transport }, expected);
  });
  const ends = { from: from.name, to: to.name, hub: hub?.name ?? null };
  return { kind: 'flow', ...ends, sender, source, mtuBytes, refused, ...addresses };
}

const TRANSPORTS = {
  tcp: { protocol: 'tcp' },
  udp: { protocol: 'udp' },
  icmp: { protocol: 'icmp' },
  full: { protocol: 'udp' },
} as const;

/** A pair without a path. The list is empty when there is a path outside of the lab, which the lab cannot test. */
function unsentPair({ scope, from, to }: Pair): readonly Unsent[] {
  const { fate } = expectedFlow(scope.model, from.name, to.name);
  return arrives({ kind: fate }) ? [] : [{ kind: 'unsent', from: from.name, to: to.name, fate }];
}

/** A flow that is delivered without known addresses needs a mapping for which the hub has no free address. */
const fateInLab = ({ fate }: ExpectedFlow): FateKind => (fate === 'delivered' ? 'needs-run-time-address' : fate);

import { printBundlePath } from '../../base/core/bundle-path.ts';
import { printLinkId } from '../../base/core/lock-key.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { prefixOf, printAddress } from '../../base/net/text.ts';
import { DEFAULT_INTERFACE, TUNNEL_INTERFACE, TUNNEL_NETWORK } from '../../base/releases/gateways.ts';
import { render } from '../../base/text/render.ts';
import { lowerFenceRuleset } from '../../bundle/enforcement/lower-fence.ts';
import { gatewaySnippet } from '../../bundle/nftables/render-snippets.ts';
import { printRuleset } from '../../bundle/nftables/ruleset.ts';
import { type AddressedCluster, type Peer, unknownSource } from '../../fleet/ipam/addressed-model.ts';
import { listenPortOf } from '../../fleet/model/network-model.ts';
import type { Cable, LabNamespace, LoadedRuleset, Route, RoutingRule, Tunnel } from './lab-plan.ts';
import {
  deviceToGateway,
  deviceToNode,
  GATEWAY_NODE,
  gatewayAddress,
  gatewayNamespace,
  type LabCluster,
  type LabModel,
  LOOPBACK,
  NODES,
  type NodeNumber,
  nodeAddress,
  nodeNamespace,
  POD_NODE,
  podAddresses,
  type ScopedIpMapping,
} from './lab-scope.ts';
import type { Underlay } from './plan-underlay.ts';

/** One gateway, which is one end of a link. */
export interface PlannedGateway {
  readonly namespace: LabNamespace;
  readonly cables: readonly Cable[];
  readonly tunnel: Tunnel;
}

interface GatewayRequest {
  readonly lab: LabCluster;
  readonly peer: Peer;
  /** Index among the gateways of the cluster. */
  readonly index: number;
  readonly model: LabModel;
  readonly underlay: Underlay;
  readonly mappings: readonly ScopedIpMapping[];
}

// Numbers of routing tables, in the order in which their rules are evaluated. Liqo's are hashes of names.
const TO_NODES_BY_MARK = 10;
const TO_TUNNEL = 100;
const FROM_TUNNEL = 200;

const { base: TUNNEL_BASE } = prefixOf(TUNNEL_NETWORK);
const TUNNEL_ADDRESSES = { server: TUNNEL_BASE + 1, client: TUNNEL_BASE + 2 };

export function planGateway(request: GatewayRequest): PlannedGateway {
  const { lab, peer, index, model, mappings } = request;
  const fence = model.boundaries ? lowerFenceRuleset(lab.cluster, peer, { boundaries: model.boundaries }) : null;
  const { cluster } = lab;
  const name = gatewayNamespace(cluster.name, peer.name);
  return {
    namespace: {
      name,
      kind: 'gateway',
      // A packet of WireGuard itself has the address of its outgoing device as its source.
      addresses: [
        { device: LOOPBACK, address: gatewayAddress(cluster, index) },
        { device: DEFAULT_INTERFACE, address: request.underlay.addresses.get(name) ?? 0 },
      ],
      routes: [
        ...outsideRoutes(request),
        ...toNodes(cluster),
        ...byMark(cluster),
        ...toTunnel(peer),
        ...fromTunnel(lab, peer),
      ],
      rules: rulesOf(cluster),
      rulesets: [
        {
          name: printBundlePath({ part: 'gateway-rules', cluster: cluster.name, peer: peer.name }),
          text: gatewaySnippet(cluster, peer, model.fleet),
        },
        ...(fence === null ? [] : [{ name: 'the fence', text: printRuleset(fence, []) }]),
        ...runtimeRulesets(cluster, mappings),
      ],
    },
    cables: NODES.map((node) => ({
      ends: [
        { namespace: name, device: deviceToNode(node) },
        { namespace: nodeNamespace(cluster.name, node), device: deviceToGateway(index) },
      ],
      // Liqo sets the MTU of the gateway on its Geneve devices.
      mtuBytes: peer.link.mtuBytes,
    })),
    tunnel: planTunnel(request),
  };
}

function planTunnel({ lab, peer, underlay }: GatewayRequest): Tunnel {
  const { link, role } = peer;
  return {
    namespace: gatewayNamespace(lab.cluster.name, peer.name),
    link: printLinkId(link.id),
    mtuBytes: link.mtuBytes,
    address: TUNNEL_ADDRESSES[role],
    end:
      role === 'server'
        ? { kind: 'server', listenPort: listenPortOf(link) }
        : { kind: 'client', dial: { address: underlay.dialled.get(link) ?? 0, port: link.endpoint.port } },
  };
}

const host = (base: number): Prefix => ({ base, length: 32 });

const route = (table: number | null, to: Prefix, via: number | null, device: string): Route => ({
  table,
  to,
  via,
  device,
});

/** Packets of WireGuard itself are routed to the router. */
function outsideRoutes({ underlay }: GatewayRequest): readonly Route[] {
  return [
    route(null, host(underlay.router), null, DEFAULT_INTERFACE),
    route(null, prefixOf('0.0.0.0/0'), underlay.router, DEFAULT_INTERFACE),
  ];
}

const viaNode = (table: number, to: Prefix, cluster: AddressedCluster, node: NodeNumber): Route =>
  route(table, to, nodeAddress(cluster, node), deviceToNode(node));

/** `<node>-gw-node`, the routes to the nodes themselves. */
const toNodes = (cluster: AddressedCluster): readonly Route[] =>
  NODES.map((it) => route(null, host(nodeAddress(cluster, it)), null, deviceToNode(it)));

/**
 * `<node>-service-nodeport-routing`: routes for answers to the unknown source, by the mark of the connection, which
 * identifies the node.
 */
const byMark = (cluster: AddressedCluster): readonly Route[] =>
  NODES.map((it) => viaNode(TO_NODES_BY_MARK + it, host(unknownSource(cluster)), cluster, it));

/** `<C>-gw-ext`: routes into the tunnel. After translation, destinations are the peer's own addresses. */
function toTunnel({ podViews, externalView, role }: Peer): readonly Route[] {
  const farEnd = TUNNEL_ADDRESSES[role === 'server' ? 'client' : 'server'];
  const real = [...podViews, externalView].map((it) => it.cidr);
  return real.map((it) => route(TO_TUNNEL, it, farEnd, TUNNEL_INTERFACE));
}

/**
 * `<node>-gw-node` for pods, and `<node>-extcidr` for views: every gateway has routes to all peers, so that leaves can
 * use a hub.
 */
function fromTunnel({ cluster, peers }: LabCluster, own: Peer): readonly Route[] {
  const pods = podAddresses(cluster).map((it) => viaNode(FROM_TUNNEL, host(it), cluster, POD_NODE));
  const views = [...peers.values()].filter((it) => it !== own).flatMap((it) => it.podViews.map((view) => view.seenAs));
  return [...pods, ...views.map((it) => viaNode(FROM_TUNNEL, it, cluster, GATEWAY_NODE))];
}

function rulesOf(cluster: AddressedCluster): readonly RoutingRule[] {
  const unknown = host(unknownSource(cluster));
  return [
    ...NODES.map(
      (it): RoutingRule => ({ select: { kind: 'marked', mark: it, to: unknown }, table: TO_NODES_BY_MARK + it }),
    ),
    ...NODES.map(
      (it): RoutingRule => ({ select: { kind: 'from-device', device: deviceToNode(it) }, table: TO_TUNNEL }),
    ),
    { select: { kind: 'from-device', device: TUNNEL_INTERFACE }, table: FROM_TUNNEL },
  ];
}

/**
 * Rules that Liqo adds to every gateway of a cluster at run time, and that weft does not emit: marks by which answers
 * are routed to the node that opened the connection, and addresses that are mapped to single pods. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/internal-network/route/mark.go,
 * .../external-network/remapping/ip.go, deployments/liqo/templates/liqo-gw-mssclamp-firewallconfiguration.yaml.
 */
function runtimeRulesets(cluster: AddressedCluster, mappings: readonly ScopedIpMapping[]): readonly LoadedRuleset[] {
  return [
    { name: 'service-nodeport-routing', text: markStatements(cluster) },
    ...(cluster.traits.clampsSegmentSize ? [{ name: 'mss-clamping', text: render('lab/mss-clamping', {}) }] : []),
    ...(mappings.length > 0
      ? [{ name: 'ip mappings', text: render('lab/ip-mapping', { mappings: mappings.map(mappingText) }) }]
      : []),
  ];
}

/**
 * Rules for the node with the pods that record the pings that arrived, because the kernel answers pings, not the lab.
 */
export const seenPings = (): LoadedRuleset => ({ name: 'pings that arrived', text: render('lab/seen-pings', {}) });

function markStatements(cluster: AddressedCluster): string {
  const nodes = NODES.map((it) => ({ device: deviceToNode(it), mark: String(it) }));
  return render('lab/service-nodeport-routing', { unknownSource: printAddress(unknownSource(cluster)), nodes });
}

/**
 * The template's values for one mapping. The name begins with `pod`, because `nft` refuses a name that begins with a
 * digit, and the name of a leaf may begin with one.
 */
const mappingText = ({ leaf, real, mapped }: ScopedIpMapping): object => ({
  name: `pod-${printAddress(mapped).replaceAll('.', '-')}`,
  namespace: leaf,
  real: printAddress(real),
  mapped: printAddress(mapped),
});

import { by, groupBy } from '../../base/core/collections.ts';
import { readAddress, readPrefix } from '../../base/net/text.ts';
import { API_SERVER_PORT } from '../../base/releases/gateways.ts';
import { targetsPods } from '../../base/releases/platforms.ts';
import { type Decisions, decisionAbout } from '../../fleet/lock/lock.ts';
import { type Link, listenPortOf } from '../../fleet/model/network-model.ts';
import type { Share, SharedModel } from '../../fleet/sharing/shared-model.ts';

/**
 * Packets that firewalls must allow from one cluster to another. `from` opens each flow; answers are packets of the
 * same flow.
 */
export interface Opening {
  readonly purpose: 'tunnel' | 'api-server';
  readonly protocol: 'udp' | 'tcp';
  readonly from: string;
  readonly to: string;
  /**
   * Networks outside of `from` from which its packets come. Empty unless the user has named them: the topology does not
   * contain them.
   */
  readonly sources: readonly string[];
  readonly dialled: Target;
  /**
   * The stations that packets pass in `to`, from the outside inwards. Empty for an API server, because any device can
   * be in front of it.
   */
  readonly places: readonly Place[];
  /** True when NAT translates the dialled address and port to those of the first place. */
  readonly nat: boolean;
  /**
   * The range from which weft chooses ports for links to this cluster; `null` for a port outside of the range or a port
   * that NAT maps.
   */
  readonly range: PortRange | null;
  /**
   * The origin of the dialled address: the topology; the provider's recorded answer, or a proxy in that answer; Liqo in
   * the provider; or a kubeconfig that the user makes.
   */
  readonly decidedBy: 'topology' | 'answer' | 'proxy' | 'liqo' | 'kubeconfig';
  /**
   * True when the lock contains the port; otherwise a later compile may choose another one. Always true for API
   * servers.
   */
  readonly recorded: boolean;
  /**
   * True when the gateway of `from` sends no pings. Pings renew the state of a firewall that has forgotten the flow.
   */
  readonly silent: boolean;
}

export interface Target {
  /** An address or a DNS name; `null` when it is known only at run time. */
  readonly address: string | null;
  readonly port: number | null;
}

export interface Place extends Target {
  readonly kind: 'load-balancer' | 'node' | 'service' | 'pod';
}

interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** The destination that a firewall in front of the nodes sees: with NAT, this is not the dialled address. */
export function targetInside({ nat, dialled, places }: Opening): Target {
  const [first] = places;
  return nat && first !== undefined ? { address: first.address, port: first.port } : dialled;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { https: 443, http: 80 };

/**
 * Reads the host and the TCP port of a URL that was checked; an IPv6 address loses its brackets. Both are `null` for
 * any other text.
 */
export function targetOfUrl(url: string): Target {
  const [, scheme = '', , ipv6, host, port] =
    /^(https?):\/\/([^/?#@]*@)?(?:\[([0-9A-Fa-f:.]+)\]|([^/?#@:[\]]+))(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(url) ?? [];
  const address = ipv6 ?? host;
  if (address === undefined) return { address: null, port: null };
  return { address, port: port === undefined ? (DEFAULT_PORTS[scheme.toLowerCase()] ?? null) : Number(port) };
}

/** All openings with one dialled address, as one firewall rule can allow them. */
export interface Destination extends Pick<Opening, 'to' | 'protocol' | 'range'> {
  readonly address: string | null;
  /** Sorted ports without duplicates. */
  readonly ports: readonly number[];
  /** Number of openings. */
  readonly count: number;
}

/** Groups the openings by destination cluster, address and protocol, in the order of their first opening. */
export function destinationsOf(openings: readonly Opening[]): readonly Destination[] {
  const groups = groupBy(openings, ({ to, protocol, dialled }) => [`${to} ${protocol} ${dialled.address ?? ''}`]);
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const ports = all.flatMap(({ dialled }) => (dialled.port === null ? [] : [dialled.port]));
    return [
      {
        to: first.to,
        protocol: first.protocol,
        address: first.dialled.address,
        ports: [...new Set(ports)].sort((a, b) => a - b),
        range: commonRange(all),
        count: all.length,
      },
    ];
  });
}

/**
 * The range from which all ports are chosen; `null` when the openings differ. A firewall that allows the whole range
 * needs no change for later links.
 */
function commonRange(all: readonly Opening[]): Opening['range'] {
  const [first, ...others] = all.map((it) => it.range);
  if (first === undefined || first === null) return null;
  return others.every((it) => it?.first === first.first && it.last === first.last) ? first : null;
}

/** Ranges of consecutive ports, such as `30000-30089`. */
export function printPortRanges(ports: readonly number[]): readonly string[] {
  const runs: { first: number; last: number }[] = [];
  for (const port of ports) {
    const run = runs.at(-1);
    if (run !== undefined && run.last + 1 === port) run.last = port;
    else runs.push({ first: port, last: port });
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
}

/** The networks outside of a cluster from which its packets come, by the name of the cluster. */
export type Sources = ReadonlyMap<string, readonly string[]>;

interface OpeningFacts {
  readonly sources: Sources;
  /** Decisions of the lock. */
  readonly decisions: Decisions;
}

/**
 * Lists the packets that firewalls between clusters must allow: one tunnel for each link, and one connection to the
 * provider's API server for each loan. Sorted by name of `from`, then of `to`; tunnels come first.
 */
export function openingsOf({ links, shares }: SharedModel, { sources, decisions }: OpeningFacts): readonly Opening[] {
  const sourcesOf = (cluster: string): readonly string[] => sources.get(cluster) ?? [];
  const tunnels = links.map((it) => tunnelOpening(it, { sources: sourcesOf(it.client.cluster.name), decisions }));
  const apiServers = shares.map((it) => apiServerOpening(it, sourcesOf(it.consumer.name)));
  return [...tunnels, ...apiServers].sort(by(({ from, to }) => `${from} ${to}`));
}

/** Openings of one cluster, or between two clusters. */
export const openingsBetween = (openings: readonly Opening[], clusters: readonly string[]): readonly Opening[] =>
  openings.filter(({ from, to }) => clusters.every((it) => it === from || it === to));

interface TunnelFacts {
  /** Networks from which the client's packets come. */
  readonly sources: readonly string[];
  /** Decisions of the lock. */
  readonly decisions: Decisions;
}

/** The tunnel of a link: the client sends WireGuard packets to the server, which answers. */
function tunnelOpening(link: Link, { sources, decisions }: TunnelFacts): Opening {
  const { server, client, endpoint } = link;
  const { address, port } = endpoint;
  const { gateway } = server.cluster;
  const exposed = endpoint.nodePort ?? endpoint.servicePort;
  const nat = port !== exposed || address === gateway.dial.address?.value;
  const [first, ...inner] = placesOf(link);
  return {
    purpose: 'tunnel',
    protocol: 'udp',
    from: client.cluster.name,
    to: server.cluster.name,
    sources,
    dialled: { address, port },
    places: [{ ...first, address: nat ? addressInside(link) : address }, ...inner],
    nat,
    range: rangeAround(link, port),
    decidedBy: 'topology',
    recorded:
      decisionAbout<number>(decisions, { kind: 'port', link: link.id, server: server.cluster.name })?.value === exposed,
    silent: client.cluster.gateway.ping?.enabled === false,
  };
}

/**
 * The places from the outside inwards. The address of the first one depends on NAT; Kubernetes assigns the addresses of
 * the others.
 */
function placesOf(link: Link): readonly [Place, ...Place[]] {
  const { serviceType, servicePort, nodePort, serviceAnnotations } = link.endpoint;
  const service: Place = { kind: 'service', address: null, port: servicePort };
  const pod: Place = { kind: 'pod', address: null, port: listenPortOf(link) };
  if (serviceType === 'NodePort') return [{ kind: 'node', address: null, port: nodePort }, service, pod];
  if (serviceType === 'ClusterIP') return [service, pod];
  const balancer: Place = { kind: 'load-balancer', address: null, port: servicePort };
  const { allocatesNodePorts } = link.server.cluster.gateway;
  // Kubernetes chooses the node port of a load balancer when it makes the Service.
  const node: Place = { kind: 'node', address: null, port: null };
  return allocatesNodePorts && !targetsPods(serviceAnnotations) ? [balancer, node, service, pod] : [balancer, pod];
}

/** The server's address behind NAT, if the topology contains it. */
function addressInside({ server, endpoint }: Link): Target['address'] {
  const own = server.cluster.gateway.addresses[0]?.value ?? null;
  return endpoint.loadBalancerIP ?? (own === endpoint.address ? null : own);
}

function rangeAround({ server, endpoint }: Link, port: number): Opening['range'] {
  const { ports, nodePorts } = server.cluster.gateway;
  const { first, last } = endpoint.nodePort === null ? ports : nodePorts;
  const exposed = endpoint.nodePort ?? endpoint.servicePort;
  return port === exposed && first <= port && port <= last ? { first, last } : null;
}

/**
 * The opening for the provider's API server. A consumer connects to it outside the tunnel; the provider never connects
 * to that of the consumer. Source: liqotech/liqo@v1.2.0 internal/crdReplicator, cmd/virtual-kubelet.
 */
export function apiServerOpening(share: Share, sources: readonly string[]): Opening {
  return {
    purpose: 'api-server',
    protocol: 'tcp',
    from: share.consumer.name,
    to: share.provider.name,
    sources,
    ...dialledBy(share),
    places: [],
    nat: false,
    range: null,
    recorded: true,
    silent: false,
  };
}

/**
 * The API server that the consumer dials: from the provider's recorded answer, or from the provider's setting while
 * there is no answer.
 */
function dialledBy({ identity, provider, auth }: Share): Pick<Opening, 'dialled' | 'decidedBy'> {
  if (identity !== null && identity.proxyURL !== null) {
    return { dialled: targetOfUrl(identity.proxyURL), decidedBy: 'proxy' };
  }
  if (identity !== null) return { dialled: targetOfUrl(identity.apiServer), decidedBy: 'answer' };
  if (provider.apiServer !== null) return { dialled: targetOfUrl(provider.apiServer.url), decidedBy: 'topology' };
  if (auth === 'credentials') return { dialled: { address: null, port: null }, decidedBy: 'kubeconfig' };
  return { dialled: FOUND_BY_LIQO, decidedBy: 'liqo' };
}

/**
 * The target when Liqo chooses the address: the internal address of a control plane node. Source: liqotech/liqo@v1.2.0
 * pkg/utils/apiserver/address.go.
 */
const FOUND_BY_LIQO: Target = { address: null, port: API_SERVER_PORT };

type SourceReading =
  | { readonly ok: true; readonly cluster: string; readonly network: string }
  | { readonly ok: false; readonly problem: string };

/** Reads `rome=198.51.100.7` or `rome=198.51.100.0/28`: an address or network from which packets of a cluster come. */
export function readSource(text: string): SourceReading {
  const [, cluster, network] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (cluster === undefined || network === undefined) return { ok: false, problem: `"${text}" names no cluster` };
  if (readAddress(network) !== undefined) return { ok: true, cluster, network };
  const reading = readPrefix(network);
  if (reading.ok) return { ok: true, cluster, network };
  const hostBits = reading.problem.kind === 'host-bits' ? ', because it has host bits' : '';
  return { ok: false, problem: `"${network}" is not an IPv4 address or network${hostBits}` };
}

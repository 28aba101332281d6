import { groupBy } from '../../base/core/collections.ts';

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

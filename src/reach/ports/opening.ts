import { groupBy } from '../../base/core/collections.ts';

/** What firewalls must let through from one cluster to another. `from` opens each flow; answers are packets of that flow. */
export interface Opening {
  readonly purpose: 'tunnel' | 'api-server';
  readonly protocol: 'udp' | 'tcp';
  readonly from: string;
  readonly to: string;
  /** Networks from which packets of `from` come, outside of it. Empty where the user has named none: no topology has them. */
  readonly sources: readonly string[];
  readonly dialled: Target;
  /** What the packets pass in `to`, from outside in. Empty for an API server, in front of which anything can be. */
  readonly places: readonly Place[];
  /** Whether NAT translates what is dialled to the first of the places. */
  readonly nat: boolean;
  /** The ports from which weft chooses for links to this cluster; `null` for a port outside of them, and for one that NAT maps. */
  readonly range: PortRange | null;
  /**
   * Where it is decided what is dialled: in the topology; in the recorded answer of a provider, or a proxy in it; by Liqo in the
   * provider; or in a kubeconfig that a person makes.
   */
  readonly decidedBy: 'topology' | 'answer' | 'proxy' | 'liqo' | 'kubeconfig';
  /** Whether the lock has the port: if not, a later compile may choose another one. True for API servers. */
  readonly recorded: boolean;
  /** Whether the gateway of `from` sends no pings, which make a flow known again to a firewall that has forgotten it. */
  readonly silent: boolean;
}

export interface Target {
  /** An address or a DNS name; `null` where only run time decides. */
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

/** What a firewall in front of the nodes sees as the destination: with NAT no longer what is dialled. */
export function targetInside({ nat, dialled, places }: Opening): Target {
  const [first] = places;
  return nat && first !== undefined ? { address: first.address, port: first.port } : dialled;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { https: 443, http: 80 };

/** Host and TCP port of a URL that was checked; an IPv6 address without its brackets. Unknown in any other text. */
export function targetOfUrl(url: string): Target {
  const [, scheme = '', , ipv6, host, port] =
    /^(https?):\/\/([^/?#@]*@)?(?:\[([0-9A-Fa-f:.]+)\]|([^/?#@:[\]]+))(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(url) ?? [];
  const address = ipv6 ?? host;
  if (address === undefined) return { address: null, port: null };
  return { address, port: port === undefined ? (DEFAULT_PORTS[scheme.toLowerCase()] ?? null) : Number(port) };
}

/** Everything that is dialled at one address, as one rule can allow it. */
export interface Destination extends Pick<Opening, 'to' | 'protocol' | 'range'> {
  readonly address: string | null;
  /** In order, each once. */
  readonly ports: readonly number[];
  /** Number of openings. */
  readonly count: number;
}

/** The openings by address and protocol, in the order in which they come first. */
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

/** The range that all ports are chosen from, so that opening it once is enough for later links, too. */
function commonRange(all: readonly Opening[]): Opening['range'] {
  const [first, ...others] = all.map((it) => it.range);
  if (first === undefined || first === null) return null;
  return others.every((it) => it?.first === first.first && it.last === first.last) ? first : null;
}

/** `30000-30089` for ports that follow each other. */
export function printPortRanges(ports: readonly number[]): readonly string[] {
  const runs: { first: number; last: number }[] = [];
  for (const port of ports) {
    const run = runs.at(-1);
    if (run !== undefined && run.last + 1 === port) run.last = port;
    else runs.push({ first: port, last: port });
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
}

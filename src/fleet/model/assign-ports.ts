import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { fnv1a } from '../../base/net/fnv.ts';
import type { Located, Span } from '../../base/source/source.ts';
import { contradiction, type Decisions, decisionAbout } from '../lock/lock.ts';
import type { ServedLink } from './link-stages.ts';
import type { Cluster, Endpoint, Link, PortRange } from './network-model.ts';
import { dialOf, endpointOf, isNodePort, loadBalancerIPOf, mappedPort, rangeOf, requestedPort } from './served-port.ts';

type Endpoints = ReadonlyMap<ServedLink, Endpoint>;

interface AssignedPorts {
  readonly endpoints: Endpoints;
  readonly found: readonly Diagnostic[];
}

/**
 * Assigns a port to every server end: a node port of its cluster's range, or a service port behind its address. Ports
 * of the topology come first, then those of the lock, then new ones.
 */
export function assignPorts(links: readonly ServedLink[], decisions: Decisions): AssignedPorts {
  const taken = new TakenPorts();
  const requested = takeRequested(links, taken);
  const kept = keepDecided(without(links, requested.ports), taken, decisions);
  const known = new Map([...requested.ports, ...kept.ports]);
  const chosen = chooseFree(without(links, known), taken, links);
  const ports = new Map([...known, ...chosen.ports]);
  const endpoints = new Map(links.map((it) => [it, endpointOf(it, ports.get(it) ?? 0)]));
  // When ports collide, the endpoints collide for the same reason.
  const shared = requested.collide ? [] : sharedEndpoints(endpoints);
  return { endpoints, found: [...requested.found, ...kept.found, ...chosen.found, ...shared] };
}

/** The range of ports that a cluster assigns to further clients, and how many of them are left. */
interface FreePorts {
  readonly range: PortRange;
  readonly left: number;
}

/** The ports for further links without options that this cluster serves. */
export function freePorts(links: readonly Link[], server: Cluster): FreePorts {
  const request = { id: NO_LINK, kind: 'hub', at: server.at, ends: [server, server], hub: server } as const;
  const next: ServedLink = { link: { ...request, commonHubs: [], options: null }, server, client: server };
  const [range, address, loadBalancerIP] = [rangeOf(next), dialOf(next), loadBalancerIPOf(next)];
  const taken = links.flatMap(({ server: { cluster }, endpoint }) => [
    ...(cluster.name === server.name && endpoint.nodePort !== null ? [endpoint.nodePort] : []),
    ...(loadBalancerIP !== null && endpoint.loadBalancerIP === loadBalancerIP ? [endpoint.servicePort] : []),
    ...(endpoint.address === address ? [endpoint.port] : []),
  ]);
  // All clients dial the same port behind NAT, so that one of them is served.
  const mapped = mappedPort(next)?.value;
  if (mapped !== undefined) return { range, left: taken.includes(mapped) ? 0 : 1 };
  const inRange = new Set(taken.filter((it) => it >= range.first && it <= range.last));
  return { range, left: range.last - range.first + 1 - inRange.size };
}

const NO_LINK = { first: '', second: '' };

/** Ports, and the diagnostics of assigning them. */
interface GivenPorts {
  readonly ports: ReadonlyMap<ServedLink, number>;
  readonly found: readonly Diagnostic[];
}

const without = (links: readonly ServedLink[], ports: GivenPorts['ports']): readonly ServedLink[] =>
  links.filter((it) => !ports.has(it));

function takeRequested(links: readonly ServedLink[], taken: TakenPorts): GivenPorts & { readonly collide: boolean } {
  const [ports, found] = [new Map<ServedLink, number>(), [] as Diagnostic[]];
  let collide = false;
  for (const it of links) {
    const requested = requestedPort(it);
    if (!requested) continue;
    if (isNodePort(it) && !isInRange(it, requested.value)) found.push(nodePortOutOfRange(it, requested));
    const other = taken.holderOf(it, requested.value);
    if (other) found.push(portTaken(it, requested, other));
    collide ||= other !== undefined;
    ports.set(it, requested.value);
    taken.take(it, requested.value, { served: it, at: requested.at, from: 'topology' });
  }
  for (const it of links) {
    const mapped = mappedPort(it);
    if (mapped) taken.reserve(it, mapped.value, { served: it, at: mapped.at, from: 'topology' });
  }
  return { ports, found, collide };
}

function keepDecided(links: readonly ServedLink[], taken: TakenPorts, decisions: Decisions): GivenPorts {
  const [ports, found] = [new Map<ServedLink, number>(), [] as Diagnostic[]];
  for (const it of links) {
    const kept = decisionAbout<number>(decisions, { kind: 'port', link: it.link.id, server: it.server.name });
    if (!kept) continue;
    const lost = whyLost(it, kept, taken);
    if (lost) {
      found.push(lost);
      continue;
    }
    ports.set(it, kept.value);
    taken.take(it, kept.value, { served: it, at: kept.at, from: 'lock' });
  }
  return { ports, found };
}

/** The reason why a link cannot keep its port of the lock; `undefined` when it can. */
function whyLost(it: ServedLink, kept: Located<number>, taken: TakenPorts): Diagnostic | undefined {
  const range = rangeOf(it);
  if (!isInRange(it, kept.value))
    return portMoved(it, kept, range.at, `which is now outside ${range.first}-${range.last}`);
  const other = taken.holderOf(it, kept.value);
  if (!other) return undefined;
  if (other.from !== 'lock') return portMoved(it, kept, other.at, `which ${nameOf(other.served)} now requests`);
  if (other.served.server === it.server) return portKeptTwice(it, kept, other);
  // This happens without a merge of branches: two clusters may have got the same address.
  return portMoved(it, kept, other.at, `which ${nameOf(other.served)} uses at the same address`);
}

function chooseFree(links: readonly ServedLink[], taken: TakenPorts, all: readonly ServedLink[]): GivenPorts {
  const ports = new Map<ServedLink, number>();
  // A full range is one mistake, regardless of the number of links without a port.
  const full = new Map<PortRange, ServedLink>();
  for (const it of links) {
    const port = taken.firstFree(it);
    if (port === undefined) {
      full.set(rangeOf(it), it);
      continue;
    }
    ports.set(it, port);
    taken.take(it, port, { served: it, at: it.link.at, from: 'weft' });
  }
  return { ports, found: [...full.values()].map((it) => portsExhausted(it, all)) };
}

function isInRange(it: ServedLink, port: number): boolean {
  const { first, last } = rangeOf(it);
  return port >= first && port <= last;
}

/** Errors about two gateways behind one address and port: the client of one would reach the other. */
function sharedEndpoints(endpoints: Endpoints): readonly Diagnostic[] {
  const first = new Map<string, ServedLink>();
  const found: Diagnostic[] = [];
  for (const [it, { address, port }] of endpoints) {
    const earlier = first.get(`${address} ${port}`);
    if (!earlier) first.set(`${address} ${port}`, it);
    else if (port > 0) found.push(endpointTaken(it, earlier, `${address}:${port}`));
  }
  return found;
}

/** A link that requests a port, and the text that contains the request. */
interface PortClaim {
  readonly served: ServedLink;
  readonly at: Span;
}

interface PortHolder extends PortClaim {
  readonly from: 'topology' | 'lock' | 'weft';
}

/** The taken ports, in every domain in which a port must be unique: the nodes of a cluster, or one address. */
class TakenPorts {
  readonly #holders = new Map<string, Map<number, PortHolder>>();
  /** The ranges without a free port, with the domains in which it would have to be free. Ports are never released. */
  readonly #full = new Set<string>();

  /** The holder of this port in a domain of the link. */
  holderOf(it: ServedLink, port: number): PortHolder | undefined {
    for (const domain of domainsOf(it)) {
      const holder = this.#holders.get(domain)?.get(port);
      if (holder) return holder;
    }
    return undefined;
  }

  take(it: ServedLink, port: number, holder: PortHolder): void {
    for (const domain of domainsOf(it)) this.#holdersIn(domain).set(port, holder);
  }

  /** Takes a port that is dialled at the address of the link and mapped to another port behind it. */
  reserve(it: ServedLink, port: number, holder: PortHolder): void {
    const holders = this.#holdersIn(addressDomain(it));
    if (!holders.has(port)) holders.set(port, holder);
  }

  /** The port at a hash of the two names, or the next free one, so that branches rarely choose the same. */
  firstFree(it: ServedLink): number | undefined {
    const { first, last } = rangeOf(it);
    const domains = domainsOf(it);
    const range = `${first}-${last} ${domains.join(', ')}`;
    if (this.#full.has(range)) return undefined;
    const holders = domains.map((domain) => this.#holdersIn(domain));
    const count = last - first + 1;
    const start = fnv1a(`${it.server.name}/${it.client.name}`) % count;
    for (let i = 0; i < count; i++) {
      const port = first + ((start + i) % count);
      if (!holders.some((taken) => taken.has(port))) return port;
    }
    this.#full.add(range);
    return undefined;
  }

  #holdersIn(domain: string): Map<number, PortHolder> {
    const known = this.#holders.get(domain);
    if (known) return known;
    const holders = new Map<number, PortHolder>();
    this.#holders.set(domain, holders);
    return holders;
  }
}

/** The domains in which the port of a link must be unique. */
function domainsOf(it: ServedLink): readonly string[] {
  const loadBalancerIP = loadBalancerIPOf(it);
  return [
    ...(isNodePort(it) ? [`cluster ${it.server.name}`] : []),
    ...(loadBalancerIP !== null ? [`address ${loadBalancerIP}`] : []),
    ...(mappedPort(it) ? [] : [addressDomain(it)]),
  ];
}

const addressDomain = (it: ServedLink): string => `address ${dialOf(it)}`;

const nameOf = ({ server, client }: ServedLink): string => `the gateway of "${server.name}" for "${client.name}"`;

/** True when the range is written in the topology. A default has no text to point at. */
const isShown = ({ first, last, at }: PortRange): boolean => {
  const text = at.source.text.slice(at.start, at.end);
  return text.includes(String(first)) && text.includes(String(last));
};

function nodePortOutOfRange(it: ServedLink, requested: Located<number>): Diagnostic {
  const range = rangeOf(it);
  return diagnostic(
    'link/node-port-out-of-range',
    requested.at,
    `node port ${requested.value} is outside the range ${range.first}-${range.last} of "${it.server.name}"`,
    {
      hint: `choose a port from ${range.first} to ${range.last}, or widen \`gateway.nodePorts\` to what the API server of "${it.server.name}" allows`,
      related: isShown(range) ? [{ message: 'the range is declared here', span: range.at }] : [],
    },
  );
}

function portTaken(it: ServedLink, requested: Located<number>, other: PortHolder): Diagnostic {
  const both = [
    { served: it, at: requested.at },
    { served: other.served, at: other.at },
  ];
  const [earlier, later] = both.sort((a, b) => a.at.start - b.at.start) as [PortClaim, PortClaim];
  return diagnostic(
    'link/port-taken',
    later.at,
    `${nameOf(later.served)} requests port ${requested.value}, which ${nameOf(earlier.served)} already uses`,
    {
      hint: 'give each gateway a port of its own, or remove the setting and let weft choose',
      related: [{ message: 'the port is taken here', span: earlier.at }],
    },
  );
}

function portKeptTwice(it: ServedLink, kept: Located<number>, other: PortHolder): Diagnostic {
  return contradiction({
    message: `the lock file assigns port ${kept.value} to both ${nameOf(it)} and ${nameOf(other.served)}`,
    later: kept.at,
    earlier: { message: 'the other decision', span: other.at },
    cluster: it.server.name,
    peer: it.client.name,
  });
}

function portMoved(it: ServedLink, kept: Located<number>, at: Span, why: string): Diagnostic {
  return diagnostic('lock/port-moved', at, `${nameOf(it)} can no longer use port ${kept.value}, ${why}`, {
    hint: 'apply both ends together: the tunnel is down until both use the new port',
    related: [{ message: 'recorded in the lock file here', span: kept.at }],
  });
}

function portsExhausted(it: ServedLink, links: readonly ServedLink[]): Diagnostic {
  const { first, last } = rangeOf(it);
  const [key, count] = [isNodePort(it) ? 'nodePorts' : 'ports', last - first + 1];
  const served = links.filter((other) => rangeOf(other) === rangeOf(it)).length;
  return diagnostic(
    'link/ports-exhausted',
    it.server.at,
    `"${it.server.name}" serves ${served} links, but \`gateway.${key}\` ${first}-${last} has room for ${count}`,
    {
      hint: `widen \`gateway.${key}\`, let some peers serve (\`server\`), or spread the spokes over more hubs`,
      related: isShown(rangeOf(it)) ? [{ message: 'the range is declared here', span: rangeOf(it).at }] : [],
    },
  );
}

function endpointTaken(it: ServedLink, earlier: ServedLink, endpoint: string): Diagnostic {
  const at = it.link.options?.port?.at ?? it.server.gateway.dial.port?.at ?? it.link.at;
  return diagnostic(
    'link/endpoint-taken',
    at,
    `"${it.client.name}" (to reach "${it.server.name}") and "${earlier.client.name}" (to reach "${earlier.server.name}") would both dial ${endpoint}`,
    {
      hint: 'give one of the links a `port` or `address` of its own (in `peerings` or `shortcuts`)',
      related: earlier.link.at === at ? [] : [{ message: 'the other link is declared here', span: earlier.link.at }],
    },
  );
}

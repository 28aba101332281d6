import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { contradiction } from '../lock/contradiction.ts';
import { type Decisions, decisionAbout, portKey } from '../lock/decisions.ts';
import { fnv1a } from '../net/fnv.ts';
import type { Located } from '../source/located.ts';
import type { Span } from '../source/source.ts';
import { dialAddressOf } from './choose-server.ts';
import type { Cluster, Endpoint, PortRange } from './network-model.ts';
import type { ServedLink } from './served-link.ts';

export interface AssignedPorts {
  /** By link identity. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly found: readonly Diagnostic[];
}

/** Where a port may stand once only: the node ports of a cluster, the ports behind one address. */
type Taken = Map<string, Map<number, Holder>>;

interface Claim {
  readonly served: ServedLink;
  readonly at: Span;
}

interface Holder extends Claim {
  readonly from: 'topology' | 'lock' | 'weft';
}

/**
 * Gives every server end its port: a node port of its cluster's range, or a service port behind its address. Ports that
 * the topology names come first, then those of the lock, then new ones: a place that the names of the two clusters
 * choose, or the next free one, so that branches rarely choose the same.
 */
export function assignPorts(links: readonly ServedLink[], decisions: Decisions): AssignedPorts {
  const found: Diagnostic[] = [];
  const taken: Taken = new Map();
  const ports = new Map<string, number>();
  // A full range is one mistake, however many links find no port in it.
  const full = new Map<Cluster, ServedLink>();
  // Where ports collide, so do the endpoints that are made of them.
  let collide = false;
  const claim = (it: ServedLink, port: number, holder: Holder): void => {
    ports.set(it.link.id, port);
    for (const domain of domainsOf(it)) holdersOf(taken, domain).set(port, holder);
  };
  for (const it of links) {
    const asked = askedPort(it);
    if (!asked) continue;
    checkRange(it, asked, found);
    const other = holderOf(taken, it, asked.value);
    if (other) {
      found.push(portTaken(it, asked, other));
      collide = true;
    }
    claim(it, asked.value, { served: it, at: asked.at, from: 'topology' });
  }
  for (const it of links) {
    const mapped = mappedPort(it);
    if (!mapped) continue;
    const holders = holdersOf(taken, addressDomain(it));
    if (!holders.has(mapped.value)) holders.set(mapped.value, { served: it, at: mapped.at, from: 'topology' });
  }
  for (const it of links) {
    if (ports.has(it.link.id)) continue;
    const kept = decisionAbout<number>(decisions, it.link.id, (id) => portKey(id, it.server.name));
    const range = rangeOf(it.server);
    if (!kept) continue;
    if (kept.value < range.first || kept.value > range.last) {
      found.push(portMoved(it, kept, range.at, `which lies outside ${range.first}-${range.last} now`));
      continue;
    }
    const other = holderOf(taken, it, kept.value);
    if (!other) claim(it, kept.value, { served: it, at: kept.at, from: 'lock' });
    else if (other.from !== 'lock')
      found.push(portMoved(it, kept, other.at, `which ${nameOf(other.served)} asks for now`));
    else if (other.served.server === it.server) found.push(keptTwice(it, kept, other));
    // No merge has to be to blame: two clusters may have come to share an address.
    else found.push(portMoved(it, kept, other.at, `which ${nameOf(other.served)} has at the same address`));
  }
  for (const it of links) {
    if (ports.has(it.link.id)) continue;
    const port = firstFree(it, taken);
    if (port === undefined) full.set(it.server, it);
    else claim(it, port, { served: it, at: it.link.at, from: 'weft' });
  }
  found.push(...[...full.values()].map((it) => exhausted(it, links)));
  const endpoints = new Map(links.map((it) => [it.link.id, endpointOf(it, ports.get(it.link.id) ?? 0)]));
  const shared = collide ? [] : sharedEndpoints(links, endpoints);
  return { endpoints, found: [...found, ...shared] };
}

const isNodePort = (server: Cluster): boolean => server.gateway.service === 'NodePort';

const rangeOf = (server: Cluster): PortRange => (isNodePort(server) ? server.gateway.nodePorts : server.gateway.ports);

/** The port that the topology fixes for the Service, if it does. */
function askedPort({ link, server }: ServedLink): Located<number> | null {
  if (isNodePort(server)) return link.options?.nodePort ?? null;
  // Without something in between, the client reaches the Service itself, so the port it dials is the Service's.
  return server.gateway.dial.address || server.gateway.dial.port ? null : (link.options?.port ?? null);
}

function dialOf({ link, server }: ServedLink): string {
  return link.options?.address?.value ?? dialAddressOf(server)?.value ?? '';
}

/** The port that clients dial where it is not the Service's own: something in between maps one to the other. */
function mappedPort({ link, server }: ServedLink): Located<number> | null {
  const { dial } = server.gateway;
  if (!isNodePort(server) && !dial.address && !dial.port) return null;
  return link.options?.port ?? dial.port;
}

/** Where the port that is chosen for a link may stand once only. */
function domainsOf(it: ServedLink): readonly string[] {
  const { service, loadBalancerIP } = it.server.gateway;
  return [
    ...(isNodePort(it.server) ? [`cluster ${it.server.name}`] : []),
    ...(service === 'LoadBalancer' && loadBalancerIP !== null ? [`address ${loadBalancerIP}`] : []),
    ...(mappedPort(it) ? [] : [addressDomain(it)]),
  ];
}

const addressDomain = (it: ServedLink): string => `address ${dialOf(it)}`;

function holdersOf(taken: Taken, domain: string): Map<number, Holder> {
  const known = taken.get(domain) ?? new Map<number, Holder>();
  taken.set(domain, known);
  return known;
}

function holderOf(taken: Taken, it: ServedLink, port: number): Holder | undefined {
  for (const domain of domainsOf(it)) {
    const holder = taken.get(domain)?.get(port);
    if (holder) return holder;
  }
  return undefined;
}

function firstFree(it: ServedLink, taken: Taken): number | undefined {
  const { first, last } = rangeOf(it.server);
  const count = last - first + 1;
  const start = fnv1a(`${it.server.name}/${it.client.name}`) % count;
  for (let i = 0; i < count; i++) {
    const port = first + ((start + i) % count);
    if (!holderOf(taken, it, port)) return port;
  }
  return undefined;
}

function endpointOf(it: ServedLink, port: number): Endpoint {
  const { gateway } = it.server;
  const nodePort = isNodePort(it.server);
  return {
    address: dialOf(it),
    port: it.link.options?.port?.value ?? gateway.dial.port?.value ?? port,
    serviceType: gateway.service,
    servicePort: nodePort ? gateway.ports.first : port,
    nodePort: nodePort ? port : null,
    loadBalancerIP: gateway.service === 'LoadBalancer' ? gateway.loadBalancerIP : null,
  };
}

const nameOf = ({ server, client }: ServedLink): string => `the gateway of "${server.name}" for "${client.name}"`;

/** A default has no text of its own to show. */
const isShown = ({ first, last, at }: PortRange): boolean => {
  const text = at.source.text.slice(at.start, at.end);
  return text.includes(String(first)) && text.includes(String(last));
};

function checkRange(it: ServedLink, asked: Located<number>, found: Diagnostic[]): void {
  const { first, last, at } = rangeOf(it.server);
  if (!isNodePort(it.server) || (asked.value >= first && asked.value <= last)) return;
  found.push(
    diagnostic(
      'link/node-port-out-of-range',
      asked.at,
      `node port ${asked.value} lies outside the range of "${it.server.name}", ${first}-${last}`,
      {
        hint: `choose one from ${first} to ${last}, or widen \`gateway.nodePorts\` to what the API server of "${it.server.name}" allows`,
        related: isShown(rangeOf(it.server)) ? [{ message: 'the range', span: at }] : [],
      },
    ),
  );
}

function portTaken(it: ServedLink, asked: Located<number>, other: Holder): Diagnostic {
  const both = [
    { served: it, at: asked.at },
    { served: other.served, at: other.at },
  ];
  const [earlier, later] = both.sort((a, b) => a.at.start - b.at.start) as [Claim, Claim];
  return diagnostic(
    'link/port-taken',
    later.at,
    `${nameOf(later.served)} asks for port ${asked.value}, which ${nameOf(earlier.served)} has`,
    {
      hint: 'give each gateway a port of its own, or leave the choice to weft',
      related: [{ message: 'taken here', span: earlier.at }],
    },
  );
}

function keptTwice(it: ServedLink, kept: Located<number>, other: Holder): Diagnostic {
  return contradiction({
    message: `the lock gives port ${kept.value} to ${nameOf(it)} and to ${nameOf(other.served)}`,
    later: kept.at,
    earlier: { message: 'also here', span: other.at },
    cluster: it.server.name,
    peer: it.client.name,
  });
}

function portMoved(it: ServedLink, kept: Located<number>, at: Span, why: string): Diagnostic {
  return diagnostic('lock/port-moved', at, `${nameOf(it)} gives up port ${kept.value}, ${why}`, {
    hint: 'the tunnel is down until both its ends have the new port',
    related: [{ message: 'the lock keeps it here', span: kept.at }],
  });
}

function exhausted(it: ServedLink, links: readonly ServedLink[]): Diagnostic {
  const { first, last } = rangeOf(it.server);
  const [key, count] = [isNodePort(it.server) ? 'nodePorts' : 'ports', last - first + 1];
  const served = links.filter((other) => other.server === it.server).length;
  return diagnostic(
    'link/ports-exhausted',
    it.server.at,
    `"${it.server.name}" serves ${served} links, and \`gateway.${key}\` ${first}-${last} has room for ${count}`,
    {
      hint: `widen \`gateway.${key}\`, let some peers serve (\`server\`), or spread the spokes over more hubs`,
      related: isShown(rangeOf(it.server)) ? [{ message: 'the range', span: rangeOf(it.server).at }] : [],
    },
  );
}

/** Two gateways behind one address and port: the client of one would reach the other. */
function sharedEndpoints(
  links: readonly ServedLink[],
  endpoints: ReadonlyMap<string, Endpoint>,
): readonly Diagnostic[] {
  const first = new Map<string, ServedLink>();
  const found: Diagnostic[] = [];
  for (const it of links) {
    const { address, port } = endpoints.get(it.link.id) as Endpoint;
    const earlier = first.get(`${address} ${port}`);
    if (!earlier) first.set(`${address} ${port}`, it);
    else if (port > 0) found.push(endpointTaken(it, earlier, `${address}:${port}`));
  }
  return found;
}

function endpointTaken(it: ServedLink, earlier: ServedLink, endpoint: string): Diagnostic {
  const at = it.link.options?.port?.at ?? it.server.gateway.dial.port?.at ?? it.link.at;
  return diagnostic(
    'link/endpoint-taken',
    at,
    `"${it.client.name}" (to reach "${it.server.name}") and "${earlier.client.name}" (to reach "${earlier.server.name}") would both dial ${endpoint}`,
    {
      hint: 'each link needs an address or port of its own: give one of them `port` (in `peerings` or `shortcuts`)',
      related: earlier.link.at === at ? [] : [{ message: 'the other link', span: earlier.link.at }],
    },
  );
}

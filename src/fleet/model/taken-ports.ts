import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { fnv1a } from '../../base/net/fnv.ts';
import type { Located, Span } from '../../base/source/source.ts';
import { contradiction } from '../lock/relock.ts';
import type { ServedLink } from './link-stages.ts';
import type { PortRange } from './network-model.ts';
import { dialOf, isNodePort, loadBalancerIPOf, mappedPort, rangeOf } from './served-port.ts';

/** A link that requests a port, and the text that contains the request. */
interface PortClaim {
  readonly served: ServedLink;
  readonly at: Span;
}

interface PortHolder extends PortClaim {
  readonly from: 'topology' | 'lock' | 'weft';
}

/** The taken ports, in every domain in which a port must be unique: the nodes of a cluster, or one address. */
export class TakenPorts {
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

export const nameOf = ({ server, client }: ServedLink): string =>
  `the gateway of "${server.name}" for "${client.name}"`;

/** True when the range is written in the topology. A default has no text to point at. */
const isShown = ({ first, last, at }: PortRange): boolean => {
  const text = at.source.text.slice(at.start, at.end);
  return text.includes(String(first)) && text.includes(String(last));
};

export function nodePortOutOfRange(it: ServedLink, requested: Located<number>): Diagnostic {
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

export function portTaken(it: ServedLink, requested: Located<number>, other: PortHolder): Diagnostic {
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

export function portKeptTwice(it: ServedLink, kept: Located<number>, other: PortHolder): Diagnostic {
  return contradiction({
    message: `the lock file assigns port ${kept.value} to both ${nameOf(it)} and ${nameOf(other.served)}`,
    later: kept.at,
    earlier: { message: 'the other decision', span: other.at },
    cluster: it.server.name,
    peer: it.client.name,
  });
}

export function portMoved(it: ServedLink, kept: Located<number>, at: Span, why: string): Diagnostic {
  return diagnostic('lock/port-moved', at, `${nameOf(it)} can no longer use port ${kept.value}, ${why}`, {
    hint: 'apply both ends together: the tunnel is down until both use the new port',
    related: [{ message: 'recorded in the lock file here', span: kept.at }],
  });
}

export function portsExhausted(it: ServedLink, links: readonly ServedLink[]): Diagnostic {
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

export function endpointTaken(it: ServedLink, earlier: ServedLink, endpoint: string): Diagnostic {
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

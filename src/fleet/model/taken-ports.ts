import { fnv1a } from '../../base/net/fnv.ts';
import type { Span } from '../../base/source/source.ts';
import type { ServedLink } from './served-link.ts';
import { dialOf, isNodePort, loadBalancerIPOf, mappedPort, rangeOf } from './served-port.ts';

/** A link that requests a port, and the text that contains the request. */
export interface PortClaim {
  readonly served: ServedLink;
  readonly at: Span;
}

export interface PortHolder extends PortClaim {
  readonly from: 'topology' | 'lock' | 'weft';
}

/** The ports that are taken, in every place where a port must be unique: at the nodes of a cluster, behind one address. */
export class TakenPorts {
  readonly #holders = new Map<string, Map<number, PortHolder>>();
  /** The ranges without a free port, with the places in which it would have to be free. Ports are only taken. */
  readonly #full = new Set<string>();

  /** The holder of this port in a place where the link needs it. */
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

  /** Takes a port that is dialled at the address of the link and mapped to another one behind it. */
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

/** The places in which the port of a link must be unique. */
function domainsOf(it: ServedLink): readonly string[] {
  const loadBalancerIP = loadBalancerIPOf(it);
  return [
    ...(isNodePort(it) ? [`cluster ${it.server.name}`] : []),
    ...(loadBalancerIP !== null ? [`address ${loadBalancerIP}`] : []),
    ...(mappedPort(it) ? [] : [addressDomain(it)]),
  ];
}

const addressDomain = (it: ServedLink): string => `address ${dialOf(it)}`;

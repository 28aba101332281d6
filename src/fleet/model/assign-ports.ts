import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../base/source/source.ts';
import { type Decisions, decisionAbout } from '../lock/decisions.ts';
import type { ServedLink } from './link-stages.ts';
import type { Endpoint, PortRange } from './network-model.ts';
import { endpointOf, isNodePort, mappedPort, rangeOf, requestedPort } from './served-port.ts';
import {
  endpointTaken,
  nameOf,
  nodePortOutOfRange,
  portKeptTwice,
  portMoved,
  portsExhausted,
  portTaken,
  TakenPorts,
} from './taken-ports.ts';

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

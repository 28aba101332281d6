import { contains, overlaps, type Prefix } from '../../base/net/prefix.ts';
import {
  type Boundaries,
  boundedNamespaces,
  type Opening,
  openingsBetween,
  type PortSpan,
  type Protocol,
} from '../../fleet/boundaries/bounded-model.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';

/** Connections over a link, as far as the question names them; `null` for any. Addresses are those of their own clusters. */
export interface FlowQuestion {
  readonly from: AddressedCluster;
  readonly to: AddressedCluster;
  /** True for what arrives under the external address of the sender. */
  readonly isMasqueraded: boolean;
  /** The namespace of the sender whose policy applies; `null` for pods without one, and for what the cluster only forwards. */
  readonly fromNamespace: string | null;
  readonly toNamespace: string | null;
  readonly source: Prefix | null;
  readonly destination: Prefix | null;
  readonly protocol: Protocol | 'ICMP' | null;
  readonly port: number | null;
}

/** The first connection that everything lets in; without one, what refuses them, and a connection that gets that far. */
interface FoundFlow {
  readonly refusedBy: 'fence' | 'policy' | null;
  /** `null` when nothing limits the link, or the fence refuses all. */
  readonly flow: Connections | null;
  /** The entries that let it in: of the fence, of the receiver's policies, and of the sender's; `null` where nothing limits it. */
  readonly entries: readonly (Opening | null)[];
}

/** Some connections: the networks of both ends, and ports; `null` and empty for any. */
interface Connections {
  readonly sources: readonly Prefix[] | null;
  readonly destinations: readonly Prefix[] | null;
  readonly protocol: Protocol | 'ICMP' | null;
  readonly ports: readonly PortSpan[];
}

const ANY: Connections = { sources: null, destinations: null, protocol: null, ports: [] };

/**
 * Finds a connection that passes a closed link: the fence of the receiver lets it in, and so do the policies of both namespaces. Each
 * of the three has its own part of an entry: a gateway knows no namespace, and a policy not which of its own pods
 * are in a network. So the entries that let a connection in may be different ones.
 */
export function findFlow(boundaries: Boundaries, question: FlowQuestion): FoundFlow {
  const { from, to, fromNamespace, toNamespace, isMasqueraded } = question;
  const openings = openingsBetween({ boundaries }, from.name, to.name);
  if (openings === undefined) return { refusedBy: null, flow: null, entries: [] };
  const asked: Connections = {
    sources: question.source && [question.source],
    destinations: question.destination && [question.destination],
    protocol: question.protocol,
    ports: question.port === null ? [] : [{ first: question.port, last: question.port }],
  };
  const isLimited = (cluster: AddressedCluster, name: string | null, what: 'limitsIngress' | 'limitsEgress'): boolean =>
    name !== null && boundedNamespaces({ boundaries }, cluster.name).some((it) => it.name === name && it[what]);
  const fence: readonly LimitPart[] = to.traits.hasFences
    ? openings.filter((it) => it.isMasqueraded === isMasqueraded).map((it) => ({ flow: it, opening: it }))
    : UNLIMITED;
  const ingress = isLimited(to, toNamespace, 'limitsIngress')
    ? openings
        .filter((it) => isFor(it.toNamespace, toNamespace))
        .sort(allPodsFirst)
        .map(ingressPart)
    : UNLIMITED;
  const egress = isLimited(from, fromNamespace, 'limitsEgress')
    ? openings.filter((it) => isFor(it.fromNamespace, fromNamespace)).map(egressPart)
    : UNLIMITED;
  let nearest: FoundFlow = { refusedBy: 'fence', flow: null, entries: [] };
  for (const first of fence) {
    const entered = meet(asked, first.flow);
    if (entered === undefined) continue;
    if (nearest.flow === null) nearest = { refusedBy: 'policy', flow: entered, entries: [] };
    for (const second of egress) {
      const left = meet(entered, second.flow);
      if (left === undefined) continue;
      for (const third of ingress) {
        const flow = meet(left, third.flow);
        if (flow) return { refusedBy: null, flow, entries: [first.opening, third.opening, second.opening] };
      }
    }
  }
  return nearest;
}

/** Connections that one of the three lets in by an entry. */
interface LimitPart {
  readonly flow: Connections;
  readonly opening: Opening | null;
}

const UNLIMITED: readonly LimitPart[] = [{ flow: ANY, opening: null }];

const isFor = (namespace: string | null, name: string | null): boolean => namespace === null || namespace === name;

/** Entries for all pods of a namespace before those for some of them. */
const allPodsFirst = (a: Opening, b: Opening): number => Number(a.toPods !== null) - Number(b.toPods !== null);

const ingressPart = (opening: Opening): LimitPart => ({ flow: { ...opening, destinations: null }, opening });

const egressPart = (opening: Opening): LimitPart => ({ flow: { ...opening, sources: null }, opening });

/** The connections that are in both; `undefined` when there are none. */
function meet(a: Connections, b: Connections): Connections | undefined {
  const sources = common(a.sources, b.sources);
  const destinations = common(a.destinations, b.destinations);
  if (sources?.length === 0 || destinations?.length === 0) return undefined;
  if (a.protocol !== null && b.protocol !== null && a.protocol !== b.protocol) return undefined;
  const ports = a.ports.length === 0 ? b.ports : b.ports.length === 0 ? a.ports : commonPorts(a.ports, b.ports);
  if (ports.length === 0 && a.ports.length > 0) return undefined;
  return { sources, destinations, protocol: a.protocol ?? b.protocol, ports };
}

/** Networks contain each other or share nothing. */
function common(a: readonly Prefix[] | null, b: readonly Prefix[] | null): readonly Prefix[] | null {
  if (a === null || b === null) return a ?? b;
  return a.flatMap((one) => b.filter((it) => overlaps(one, it)).map((it) => (contains(one, it) ? it : one)));
}

const commonPorts = (a: readonly PortSpan[], b: readonly PortSpan[]): readonly PortSpan[] =>
  a.flatMap((one) =>
    b.flatMap((it) => {
      const span = { first: Math.max(one.first, it.first), last: Math.min(one.last, it.last) };
      return span.first <= span.last ? [span] : [];
    }),
  );

import { bug } from '../../../base/diagnostics/outcome.ts';
import { printTraced, sameAddress } from '../../../reach/trace/address.ts';
import { arrives } from '../../../reach/trace/fates.ts';
import type { AppliedRule, Packet, PacketHop } from '../../../reach/trace/packet.ts';
import type { Trace } from '../../../reach/trace/trace.ts';
import { mermaidLabel, mermaidText } from '../mermaid/print-mermaid.ts';

/** A packet's way there and back as a picture: stops from the sender to the receiver, and the wires between them. */
export interface WalkPicture {
  readonly title: string;
  readonly summary: string;
  /** At least one, from the sender on. */
  readonly stops: readonly WalkStop[];
  /** One less than stops: `wires[i]` leads from `stops[i]` to the next one. */
  readonly wires: readonly WalkWire[];
  /** The reason why the packet ends at the last stop; `null` for a packet that arrives. */
  readonly lost: string | null;
}

/** A pod, a node or a gateway that packets pass. */
export interface WalkStop {
  readonly cluster: string;
  /** `pod`, `node`, `gateway for milan`. */
  readonly title: string;
  /** Translations of the packet here, one per line, with their rules. */
  readonly there: readonly string[];
  /** Translations of the answer here. */
  readonly back: readonly string[];
}

export interface WalkWire {
  /** The carrier of packets: `Geneve`, or `WireGuard` with its port and MTU; `null` inside a node. */
  readonly by: string | null;
  /** The packet on this wire: `10.202.0.10 to 10.81.0.10`. */
  readonly there: string;
  /** The answer on this wire; `null` without one. */
  readonly back: string | null;
  readonly isTunnel: boolean;
}

interface WalkWords {
  readonly title: string;
  readonly summary: string;
  /** The name of a rule, and where it is. */
  readonly ruleText: (rule: AppliedRule) => string;
}

/** The picture of a trace. A trace without a walk has the sender alone. */
export function walkPicture(trace: Trace, { title, summary, ruleText }: WalkWords): WalkPicture {
  const there = visitsOf(trace.there, ruleText);
  const back = visitsOf(trace.back, ruleText).toReversed();
  const isAnswered = back.length > 0;
  if (isAnswered && back.length !== there.length) bug('an answer passes other places than its packet');
  const stops = there.map(
    ({ cluster, title: place, changes }, i): WalkStop => ({
      ...{ cluster, title: place, there: changes },
      back: back[i]?.changes ?? [],
    }),
  );
  const alone = { cluster: trace.from.cluster, title: trace.from.isNode ? 'node' : 'pod', there: [], back: [] };
  return {
    title,
    summary,
    stops: stops.length === 0 ? [alone] : stops,
    wires: there.slice(0, -1).map((it, i) => ({
      by: it.next,
      there: packetText(it.leaves),
      // The answer leaves the stop behind this wire.
      back: isAnswered ? packetText(back[i + 1]?.leaves ?? it.leaves) : null,
      isTunnel: it.cluster !== there[i + 1]?.cluster,
    })),
    lost: arrives(trace.fate) ? null : trace.fate.why,
  };
}

/** One pass of a packet through a place. */
interface Visit {
  readonly cluster: string;
  readonly title: string;
  readonly changes: string[];
  leaves: Packet;
  /** The carrier to the next place. */
  next: string | null;
}

/** The places that a packet passes in one direction, in order. */
function visitsOf(hops: readonly PacketHop[], ruleText: WalkWords['ruleText']): readonly Visit[] {
  const visits: Visit[] = [];
  const enter = (cluster: string, title: string, leaves: Packet): Visit => {
    const last = visits.at(-1);
    if (last?.cluster === cluster && last.title === title) return last;
    const visit: Visit = { ...{ cluster, title, leaves, next: null }, changes: [] };
    visits.push(visit);
    return visit;
  };
  for (const hop of hops) {
    const { cluster, did } = hop;
    const last = visits.at(-1);
    switch (did.kind) {
      case 'sent':
      case 'received':
        enter(cluster, did.by, hop).leaves = hop;
        break;
      case 'left-node':
        translated(enter(cluster, 'node', last?.leaves ?? hop), hop, did.rule && ruleText(did.rule));
        break;
      case 'overlay': {
        // A pod is on a node.
        const from = last?.title === 'pod' ? enter(cluster, 'node', hop) : last;
        if (from) from.next = 'Geneve';
        enter(cluster, did.to === 'gateway' ? gatewayTitle(did.peer) : 'node', hop);
        break;
      }
      case 'tunnel': {
        const { client, server, endpoint, mtuBytes } = did.link;
        if (last) last.next = `WireGuard, UDP port ${endpoint.port}, MTU ${mtuBytes}`;
        const peer = server.cluster.name === did.to ? client.cluster.name : server.cluster.name;
        enter(did.to, gatewayTitle(peer), hop);
        break;
      }
      case 'prerouting':
      case 'postrouting':
        translated(enter(cluster, gatewayTitle(did.peer), last?.leaves ?? hop), hop, did.rule && ruleText(did.rule));
        break;
      case 'mapped':
        translated(
          enter(cluster, gatewayTitle(did.peer), last?.leaves ?? hop),
          hop,
          'IP resource of the pod, at run time',
        );
        break;
      case 'undone': {
        const title = did.on === 'node' ? 'node' : gatewayTitle(did.peer);
        translated(enter(cluster, title, last?.leaves ?? hop), hop, 'connection tracking');
        break;
      }
    }
  }
  return visits;
}

const gatewayTitle = (peer: string): string => `gateway for ${peer}`;

/** Records what a place changes in a packet. */
function translated(visit: Visit, after: Packet, by: string | null): void {
  const { leaves: before } = visit;
  const rule = by === null ? '' : `: ${by}`;
  for (const what of ['source', 'destination'] as const) {
    if (sameAddress(before[what], after[what])) continue;
    visit.changes.push(`${what} ${printTraced(before[what])} becomes ${printTraced(after[what])}${rule}`);
  }
  visit.leaves = after;
}

const packetText = ({ source, destination }: Packet): string => `${printTraced(source)} to ${printTraced(destination)}`;

/** Stops of one cluster that follow each other. */
export interface WalkLane {
  readonly cluster: string;
  /** The index of the first stop. */
  readonly first: number;
  readonly stops: readonly WalkStop[];
}

export function lanesOf({ stops }: Pick<WalkPicture, 'stops'>): readonly WalkLane[] {
  const lanes: { readonly cluster: string; readonly first: number; readonly stops: WalkStop[] }[] = [];
  stops.forEach((stop, first) => {
    const last = lanes.at(-1);
    if (last?.cluster === stop.cluster) last.stops.push(stop);
    else lanes.push({ cluster: stop.cluster, first, stops: [stop] });
  });
  return lanes;
}

/** Prints a flowchart from the sender down to the receiver, with a frame for each cluster; dotted lines lead back. */
export function printWalkMermaid(walk: WalkPicture): string {
  const { title, summary, stops, wires, lost } = walk;
  const node = (stop: WalkStop, i: number): string => `s${i + 1}[${mermaidLabel(stop.title, stopChanges(stop))}]`;
  const lines = [
    `accTitle: ${mermaidText(title)}`,
    `accDescr: ${mermaidText(summary)}`,
    ...lanesOf(walk).flatMap(({ cluster, first, stops: ofLane }, lane) => [
      `subgraph c${lane + 1}[${mermaidLabel(cluster, [])}]`,
      ...ofLane.map((it, i) => `  ${node(it, first + i)}`),
      'end',
    ]),
    ...wires.flatMap(({ by, there, back, isTunnel }, i) => {
      const carrier = by === null ? [] : [by];
      return [
        `s${i + 1} ${isTunnel ? '==>' : '-->'}|"${[...carrier, there].map(mermaidText).join('<br>')}"| s${i + 2}`,
        ...(back === null ? [] : [`s${i + 2} -.->|"${mermaidText(back)}"| s${i + 1}`]),
      ];
    }),
    ...(lost === null ? [] : [`lost[${mermaidLabel('lost', [lost])}]`, `s${stops.length} --x lost`]),
    ...(lost === null ? [] : ['classDef lost fill:#ffebe9,stroke:#cf222e,color:#1f2328', 'class lost lost']),
  ];
  return `${['flowchart TB', ...lines.map((it) => `  ${it}`)].join('\n')}\n`;
}

const stopChanges = ({ there, back }: WalkStop): readonly string[] => [...there, ...back.map((it) => `back: ${it}`)];

import type { Prefix } from '../../base/net/prefix.ts';
import { printAddress } from '../../base/net/text.ts';
import type { FateKind } from '../trace/fates.ts';

/**
 * The parts of a lab and the packets sent through it, as values: how namespaces are created is not part of it. Names of
 * namespaces are short (`rome.node1`); the scripts add the id of the run as a prefix.
 */
export interface LabPlan {
  readonly namespaces: readonly LabNamespace[];
  readonly cables: readonly Cable[];
  /** One per end of each link. */
  readonly tunnels: readonly Tunnel[];
  /** One per cluster: the namespace in which its pods answer. */
  readonly hosts: readonly PodHost[];
  readonly probes: readonly Probe[];
  /** Pairs without a probe. */
  readonly unsent: readonly Unsent[];
}

export interface LabNamespace {
  readonly name: string;
  readonly kind: 'underlay' | 'node' | 'gateway';
  /** Addresses with prefix length 32; a device is listed once per address. */
  readonly addresses: readonly DeviceAddress[];
  readonly routes: readonly Route[];
  /** Rules in the order in which the kernel evaluates them. */
  readonly rules: readonly RoutingRule[];
  readonly rulesets: readonly LoadedRuleset[];
}

interface DeviceAddress {
  /** The loopback device for an address of no cable, because some kernels have no devices of type `dummy`. */
  readonly device: string;
  readonly address: number;
}

export interface Route {
  /** Number of a routing table; `null` for the main one. */
  readonly table: number | null;
  readonly to: Prefix;
  /** `null` when the destination is at the other end of the cable. */
  readonly via: number | null;
  readonly device: string;
}

export interface RoutingRule {
  readonly select:
    | { readonly kind: 'from-device'; readonly device: string }
    | { readonly kind: 'marked'; readonly mark: number; readonly to: Prefix };
  readonly table: number;
}

export interface LoadedRuleset {
  /** Path of the emitted file below `out/`, or a name for rules that Liqo creates at run time. */
  readonly name: string;
  readonly text: string;
}

/** A pair of veth devices. */
export interface Cable {
  readonly ends: readonly [CableEnd, CableEnd];
  readonly mtuBytes: number;
}

interface CableEnd {
  readonly namespace: string;
  readonly device: string;
}

export interface Tunnel {
  readonly namespace: string;
  /** Name of the link, as in the lock. */
  readonly link: string;
  readonly mtuBytes: number;
  readonly address: number;
  readonly end: ServerEnd | ClientEnd;
}

interface ServerEnd {
  readonly kind: 'server';
  readonly listenPort: number;
}

interface ClientEnd {
  readonly kind: 'client';
  readonly dial: { readonly address: number; readonly port: number };
}

export interface PodHost {
  readonly cluster: string;
  readonly namespace: string;
  /** Real addresses, one per pod CIDR. */
  readonly pods: readonly number[];
}

export const PROTOCOLS = ['tcp', 'udp', 'icmp', 'full'] as const;

/** `full` is a UDP datagram of exactly the link's MTU, there and back. */
export type Protocol = (typeof PROTOCOLS)[number];

/**
 * The ports on which pods answer. Nodes use a separate port, because two nodes may send from the same address and port.
 */
export const PROBED_PORTS = { pod: 7001, node: 7002 } as const;

/** One exchange: a packet is sent, and the answer must reach its sender, or none when a fence refuses it. */
export interface Probe {
  /** Counted from 0. */
  readonly id: number;
  readonly flow: Flow;
  readonly protocol: Protocol;
  /** Size of the whole IP packet for `icmp` and `full`; size of the payload for the others. */
  readonly sizeBytes: number;
  /** True when the fence of a gateway must refuse it. */
  readonly isRefused: boolean;
}

/** A sender, a receiver, and the addresses that the receiver must see. */
export interface Flow {
  readonly kind: 'flow';
  readonly from: string;
  readonly to: string;
  /** The hub that forwards the packet; `null` when the two clusters have a link. */
  readonly hub: string | null;
  /** The kind of sender: a pod, or the node itself, whose address peers never see. */
  readonly sender: 'pod' | 'node';
  /** Real address of the sender. */
  readonly source: number;
  /** The address that the sender dials: the receiver from its point of view. */
  readonly dialled: number;
  /** The addresses that the receiver must see, if no fence refuses the packet. */
  readonly expected: Seen;
  /** The protocols that the fence of a gateway on the way refuses. */
  readonly refused: readonly Protocol[];
  /** The smallest MTU of all tunnels on the way. */
  readonly mtuBytes: number;
}

/** A pair without a probe, and the reason: the fate that the trace finds. */
export interface Unsent {
  readonly kind: 'unsent';
  readonly from: string;
  readonly to: string;
  readonly fate: FateKind;
}

/** The two addresses of a packet where it arrives. */
export interface Seen {
  readonly source: number;
  readonly destination: number;
}

/** The result of a probe. */
export type Observation =
  | {
      readonly kind: 'answered';
      /** The cluster that answered. */
      readonly by: string;
      readonly seen: Seen;
      readonly milliseconds: number;
    }
  | { readonly kind: 'failed'; readonly why: string };

export interface Verdict {
  readonly probe: Probe;
  readonly agrees: boolean;
  /** Round-trip time; `null` without an answer. */
  readonly milliseconds: number | null;
  /** The observation as text. */
  readonly got: string;
}

/** Compares what every receiver saw with what it had to see. */
export function judgeProbes({ probes }: LabPlan, observations: ReadonlyMap<number, Observation>): readonly Verdict[] {
  return probes.map((probe) => judge(probe, observations.get(probe.id) ?? { kind: 'failed', why: 'it was not sent' }));
}

function judge(probe: Probe, it: Observation): Verdict {
  if (probe.isRefused) {
    const got = it.kind === 'failed' ? 'refused by a fence' : describeSeen(it.by, it.seen);
    return { probe, agrees: it.kind === 'failed', milliseconds: null, got };
  }
  if (it.kind === 'failed') return { probe, agrees: false, milliseconds: null, got: it.why };
  const { flow } = probe;
  const agrees =
    it.by === flow.to && it.seen.source === flow.expected.source && it.seen.destination === flow.expected.destination;
  return { probe, agrees, milliseconds: it.milliseconds, got: describeSeen(it.by, it.seen) };
}

/** `milan sees 10.68.0.0 at 10.202.90.151`. */
export const describeSeen = (receiver: string, { source, destination }: Seen): string =>
  `${receiver} sees ${printAddress(source)} at ${printAddress(destination)}`;

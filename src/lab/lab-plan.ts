import type { Prefix } from '../net/prefix.ts';
import type { FateKind } from '../trace/fate.ts';

/**
 * What a lab is made of and what is sent through it, as values: nothing here knows how namespaces are made. Names of
 * namespaces are short (`rome.node1`); who builds them puts the id of the run in front.
 */
export interface LabPlan {
  readonly namespaces: readonly LabNamespace[];
  readonly cables: readonly Cable[];
  /** One an end of a link. */
  readonly tunnels: readonly Tunnel[];
  /** One a cluster: where its pods are and answer. */
  readonly hosts: readonly PodHost[];
  readonly probes: readonly Probe[];
  /** Pairs between which nothing is carried. */
  readonly unsent: readonly Unsent[];
}

export interface LabNamespace {
  readonly name: string;
  readonly kind: 'underlay' | 'node' | 'gateway';
  /** Of one host each, whatever the device. */
  readonly addresses: readonly DeviceAddress[];
  readonly routes: readonly Route[];
  /** Asked in this order. */
  readonly rules: readonly RoutingRule[];
  readonly rulesets: readonly LoadedRuleset[];
}

export interface DeviceAddress {
  /** The loopback device for what belongs to no cable: there are kernels without devices of type `dummy`. */
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
  /** Path of the emitted file below `out/`, or what the lab calls what Liqo makes at run time. */
  readonly name: string;
  readonly text: string;
}

/** A pair of veth devices. */
export interface Cable {
  readonly ends: readonly [CableEnd, CableEnd];
  readonly mtuBytes: number;
}

export interface CableEnd {
  readonly namespace: string;
  readonly device: string;
}

export interface Tunnel {
  readonly namespace: string;
  /** Of the link, as in the lock. */
  readonly link: string;
  readonly mtuBytes: number;
  readonly address: number;
  readonly end: ServerEnd | ClientEnd;
}

export interface ServerEnd {
  readonly kind: 'server';
  readonly listenPort: number;
}

export interface ClientEnd {
  readonly kind: 'client';
  readonly dial: { readonly address: number; readonly port: number };
}

export interface PodHost {
  readonly cluster: string;
  readonly namespace: string;
  /** Real addresses, one a pod CIDR. */
  readonly pods: readonly number[];
}

export const PROTOCOLS = ['tcp', 'udp', 'icmp', 'full'] as const;

/** `full` is a UDP datagram of exactly the link's MTU, there and back. */
export type Protocol = (typeof PROTOCOLS)[number];

/** One exchange: something is sent, and the answer must come back to who sent it. */
export interface Probe {
  /** Counted from 0. */
  readonly id: number;
  readonly flow: Flow;
  readonly protocol: Protocol;
  /** Of the whole IP packet for `icmp` and `full`; of the payload for the others. */
  readonly sizeBytes: number;
}

/** Who talks to whom, and what must come of it. */
export interface Flow {
  readonly kind: 'flow';
  readonly from: string;
  readonly to: string;
  /** The hub that carries it; `null` for a link of their own. */
  readonly hub: string | null;
  /** Whether a pod sends or the node itself, which is no pod and so has no address that peers know. */
  readonly sender: 'pod' | 'node';
  /** Real address of the sender. */
  readonly source: number;
  /** What the sender dials: the receiver from its point of view. */
  readonly dialled: number;
  /** What the receiver must see. */
  readonly expected: Seen;
  /** Of all tunnels on the way, the smallest. */
  readonly mtuBytes: number;
}

/** A pair that nothing is sent between, with what becomes of a packet by the walk. */
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

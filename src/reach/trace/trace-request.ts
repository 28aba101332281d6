import { bug } from '../../base/diagnostics/outcome.ts';
import { containsAddress, lastAddress, moveHost, type Prefix } from '../../base/net/prefix.ts';
import { readAddress } from '../../base/net/text.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  clusterNamed,
  clustersBetween,
  type Peer,
  unknownSource,
  type View,
} from '../../fleet/ipam/addressed-model.ts';
import { carriesPackets, type Link } from '../../fleet/model/network-model.ts';
import { pathsOf } from '../../fleet/model/paths.ts';
import { type Address, allocatedIn, known, moveTo, representativePod } from './address.ts';
import type { Mapping } from './cross-link.ts';
import type { Fate } from './fates.ts';
import * as fates from './fates.ts';
import { type FlowQuestion, findFlow } from './open-flows.ts';
import type { TracedNetwork, Transport } from './packet.ts';
import { peerNamed } from './pair-fates.ts';

/** A packet to trace, from one end to another. */
export interface TraceRequest {
  readonly from: TraceFrom;
  readonly to: TraceTo;
  /**
   * True when the sender is a node, or a pod that shares its node's network: then its source is not a pod's address.
   */
  readonly fromNode?: boolean;
  /** Fences and policies may depend on it, and on the port of `to`; without it, some packet is meant. */
  readonly protocol?: 'tcp' | 'udp' | 'icmp';
  /** The namespaces of the pods, whose policies limit them; without them, pods that no policy limits are meant. */
  readonly fromNamespace?: string | null;
  readonly toNamespace?: string | null;
  /** A cluster with links to both ends that the packet passes, even if there is a shorter path or another one. */
  readonly through?: string;
  /** Single addresses that hubs have already mapped, from their IP resources. */
  readonly mappings?: readonly IpMapping[];
}

interface TraceFrom {
  /** Name of a cluster of the model. */
  readonly cluster: string;
  /** An address of this cluster, as the cluster itself uses it; `null` for the representative pod. */
  readonly address: number | null;
  readonly port?: number | null;
}

export type TraceTo =
  | {
      readonly kind: 'cluster';
      readonly cluster: string;
      readonly address: number | null;
      readonly port?: number | null;
      readonly protocol?: 'tcp' | 'udp';
    }
  /** An address as the sender sees it. */
  | {
      readonly kind: 'address';
      readonly address: number;
      readonly port?: number | null;
      readonly protocol?: 'tcp' | 'udp';
    };

/**
 * An IP resource: `cluster` maps `external`, an address of its external CIDR, to `real`, an address from its own point
 * of view.
 */
export interface IpMapping {
  readonly cluster: string;
  readonly external: number;
  readonly real: number;
}

type EndReading = { readonly ok: true; readonly end: TraceTo } | { readonly ok: false; readonly problem: string };

/** Reads `rome`, `rome/10.202.0.5` or `10.61.0.151`, each optionally followed by `:8080`, or `:53/udp`. */
export function readEnd(text: string): EndReading {
  const [, name = '', portText, protocolText] = /^(.*?)(?::(\d{1,6})(?:\/(tcp|udp))?)?$/.exec(text) ?? [];
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && (port < 1 || port > 65535))
    return badEnd(`${portText} is not a port: ports are between 1 and 65535`);
  const at = { port, ...(protocolText === undefined ? {} : { protocol: protocolText as 'tcp' | 'udp' }) };
  if (name.includes(':')) return badEnd(`"${text}" is neither a cluster nor an IPv4 address`);
  const [before = '', behind, ...more] = name.split('/');
  if (more.length > 0) return badEnd(`"${text}" has more than one "/"`);
  if (behind === undefined) {
    const address = readAddress(before);
    if (address !== undefined) return endFound({ kind: 'address', address, ...at });
    if (/^[\d.]+$/.test(before) && before.includes('.')) return badEnd(`"${before}" is not an IPv4 address`);
    if (before === '') return badEnd('a cluster is missing');
    return endFound({ kind: 'cluster', cluster: before, address: null, ...at });
  }
  if (readAddress(before) !== undefined) return badEnd(`"${text}" is a network; one address is needed`);
  const address = readAddress(behind);
  if (address === undefined) return badEnd(`"${behind}" is not an IPv4 address`);
  return endFound({ kind: 'cluster', cluster: before, address, ...at });
}

const endFound = (it: TraceTo): EndReading => ({ ok: true, end: it });

const badEnd = (it: string): EndReading => ({ ok: false, problem: it });

/** The addresses that a sender can dial to reach the requested receiver. */
export type Resolved =
  | {
      readonly kind: 'send';
      /** In order of preference: the packet takes the first one that delivers it. */
      readonly ways: readonly [Sending, ...Sending[]];
      /** The path by the link of the two, with or without keys; `null` without a link, or when another path is requested. */
      readonly direct: Sending | null;
      /** Clusters with working links to both ends, in order of name; empty when none is needed. */
      readonly hubs: readonly string[];
      /** The link of the two when it carries nothing. */
      readonly idle: Link | null;
    }
  /** There is no packet to send, or no address to send it to. */
  | { readonly kind: 'decided'; readonly fate: Fate };

export interface Sending {
  readonly destination: Address;
  /** The IP resource that a hub on the way needs. */
  readonly mapping: Mapping | null;
}

type Decided = Resolved & { readonly kind: 'decided' };

const decidedByFate = (fate: Fate): Decided => ({ kind: 'decided', fate });

export function resolveDestination(
  model: AddressedModel,
  sender: AddressedCluster,
  { to, through, mappings = [] }: TraceRequest,
): Resolved {
  if (to.kind === 'address') return send([{ destination: known(to.address), mapping: null }]);
  const receiver = clusterNamed(model, to.cluster);
  if (receiver.retired) return decidedByFate(fates.retired(receiver));
  const address = to.address ?? representativePod(receiver);
  const index = receiver.podCIDRs.findIndex((it) => containsAddress(it.value, address));
  const pod: Pod = { cluster: receiver, address, index };
  if (index === -1) return toOtherAddress(sender, pod, through);
  if (receiver === sender) return decidedByFate(fates.self(sender));
  const peer = sender.peers.get(receiver.name);
  const direct = peer ? { destination: seen(viewOf(sender, peer, pod), address), mapping: null } : null;
  const idle = peer && !carriesPackets(peer.link) ? peer.link : null;
  const hubs = pathsOf(model.links).between(sender.name, receiver.name);
  const by = (name: string): Sending => sendingThroughHub(sender, clusterNamed(model, name), pod, mappings);
  if (through !== undefined) {
    const hub = clusterNamed(model, through);
    if (!hub.peers.has(sender.name) || !hub.peers.has(receiver.name))
      return decidedByFate(fates.noSuchHub(hub, sender, receiver));
    return send([by(through)], hubs);
  }
  const [first, ...others] = [...(direct && !idle ? [direct] : []), ...hubs.map(by)];
  if (first) return send([first, ...others], hubs, { direct, idle });
  // Every path lacks a key; the walk of the packet shows which one.
  if (direct) return send([direct], [], { direct, idle });
  const [hub] = clustersBetween(sender, receiver);
  return hub === undefined ? decidedByFate(fates.noLink(sender, receiver)) : send([by(hub)]);
}

interface Pod {
  readonly cluster: AddressedCluster;
  readonly address: number;
  /** Index of its pod CIDR in the list of the cluster. */
  readonly index: number;
}

const send = (
  ways: readonly [Sending, ...Sending[]],
  hubs: readonly string[] = [],
  { direct, idle }: { readonly direct: Sending | null; readonly idle: Link | null } = { direct: null, idle: null },
): Resolved => ({ kind: 'send', ways, direct, hubs, idle });

const viewOf = (viewer: AddressedCluster, peer: Peer, { index }: Pod): View =>
  peer.podViews[index] ?? bug(`"${viewer.name}" has no view of a pod CIDR of "${peer.name}"`);

const seen = ({ seenAs }: View, address: number): Address => known(moveHost(address, seenAs));

/** The addresses for a receiver that is not a pod. Peers reach only mapped addresses, those of an external CIDR. */
function toOtherAddress(sender: AddressedCluster, { cluster, address }: Pod, through: string | undefined): Resolved {
  const peer = through === undefined ? sender.peers.get(cluster.name) : undefined;
  const isExternal = containsAddress(cluster.externalCIDR, address) && address !== unknownSource(cluster);
  if (!peer || !isExternal) return decidedByFate(fates.notAPod(cluster, address, sender));
  return send([{ destination: seen(peer.externalView, address), mapping: null }]);
}

/** The address that a cluster with links to both ends maps to the pod. */
function sendingThroughHub(
  sender: AddressedCluster,
  hub: AddressedCluster,
  pod: Pod,
  mappings: NonNullable<TraceRequest['mappings']>,
): Sending {
  const real = moveHost(pod.address, viewOf(hub, peerNamed(hub, pod.cluster.name), pod).seenAs);
  const given = mappings.find((it) => it.cluster === hub.name && it.real === real);
  const external = given ? known(given.external) : allocatedIn(hub.externalCIDR);
  const { externalView } = peerNamed(sender, hub.name);
  return { destination: moveTo(externalView.seenAs, external), mapping: { cluster: hub.name, external, real } };
}

/** A packet, with the protocol and the port that fences and policies are asked about. */
interface ChosenPacket {
  readonly request: TraceRequest;
  readonly transport: Transport;
}

/**
 * The request with pods, and a port, that the fence and the policies let through, where it names none: such a request is about
 * some pod of a cluster.
 */
export function atOpening({ boundaries }: TracedNetwork, ends: TracedEnds, request: TraceRequest): ChosenPacket {
  const { from, to } = request;
  const protocol = request.protocol ?? to.protocol ?? null;
  const asked: ChosenPacket = { request, transport: { protocol, port: to.port ?? null } };
  if (boundaries === undefined || to.kind !== 'cluster' || ends.receiver === null) return asked;
  const question = flowQuestion({ sender: ends.sender, receiver: ends.receiver }, request);
  const representative = {
    ...question,
    source: question.source ?? (question.isMasqueraded ? null : single(representativePod(ends.sender))),
    destination: question.destination ?? single(representativePod(ends.receiver)),
  };
  const ofThese = findFlow(boundaries, representative);
  const ofAny = ofThese.refusedBy === null ? ofThese : findFlow(boundaries, question);
  const isFurther = ofAny.flow !== null && (ofAny.refusedBy === null || ofThese.flow === null);
  const { flow } = isFurther ? ofAny : ofThese;
  if (flow === null) return asked;
  const podIn = (networks: readonly Prefix[] | null): number | null =>
    networks?.[0] === undefined ? null : Math.min(networks[0].base + FIRST_PODS, lastAddress(networks[0]));
  const isOther = isFurther && ofThese.refusedBy !== null;
  return {
    request: isOther
      ? {
          ...request,
          from: { ...from, address: from.address ?? (question.isMasqueraded ? null : podIn(flow.sources)) },
          to: { ...to, address: to.address ?? podIn(flow.destinations) },
        }
      : request,
    transport: { protocol: protocolOf(flow.protocol), port: to.port ?? flow.ports[0]?.first ?? null },
  };
}

interface TracedEnds {
  readonly sender: AddressedCluster;
  /** `null` for an address without a cluster. */
  readonly receiver: AddressedCluster | null;
}

/** The connections over the link of two clusters that a request may be about. */
export function flowQuestion(
  { sender, receiver }: { readonly sender: AddressedCluster; readonly receiver: AddressedCluster },
  { from, to, fromNode = false, fromNamespace = null, toNamespace = null, ...asked }: TraceRequest,
): FlowQuestion {
  const protocol = asked.protocol ?? to.protocol;
  const isMasqueraded = fromNode || sender.fabric.fullMasquerade;
  return {
    ...{ from: sender, to: receiver, isMasqueraded, fromNamespace, toNamespace },
    source: from.address === null || isMasqueraded ? null : single(from.address),
    destination: to.address === null ? null : single(to.address),
    protocol: protocol === undefined ? null : PROTOCOLS[protocol],
    port: to.port ?? null,
  };
}

/** The protocols of packets as `boundaries` names them. */
export const PROTOCOLS = { tcp: 'TCP', udp: 'UDP', icmp: 'ICMP' } as const;

const protocolOf = (name: FlowQuestion['protocol']): Transport['protocol'] =>
  (['tcp', 'udp', 'icmp'] as const).find((it) => PROTOCOLS[it] === name) ?? null;

const single = (base: number): Prefix => ({ base, length: 32 });

/** The index of the host, like that of a representative pod: lower addresses are often those of bridges. */
const FIRST_PODS = 10;

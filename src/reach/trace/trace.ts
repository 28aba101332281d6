import { containsAddress } from '../../base/net/prefix.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  clusterNamed,
  unknownSource,
} from '../../fleet/ipam/addressed-model.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { type MayOffload, mayOffloadIn } from '../../fleet/sharing/shared-model.ts';
import { otherOwners } from '../whois/whois.ts';
import { type Address, known, representativePod, sameAddress } from './address.ts';
import type { Mapping } from './cross-link.ts';
import * as fates from './fates.ts';
import { arrives, type Fate } from './fates.ts';
import type { LiveState, Packet, PacketHop, TracedNetwork } from './packet.ts';
import { judgePolicies } from './policies.ts';
import {
  atOpening,
  type Resolved,
  resolveDestination,
  type Sending,
  type TraceRequest,
  type TraceTo,
} from './trace-request.ts';
import { type Walk, type WalkEnd, walkBack, walkThere } from './walk.ts';

/** A packet's path and the path of its answer, or the reason why there is none. */
export interface Trace {
  readonly from: Sender;
  readonly to: Receiver;
  readonly route: NextHop;
  readonly fate: Fate;
  /** The packet that the sender sends; `null` without a destination address. */
  readonly sent: Packet | null;
  /** The packet that the receiving pod gets; `null` when no pod gets it. */
  readonly received: Packet | null;
  /** A link without keys: the link of the two when another path is taken, or the link at which the packet ends. */
  readonly idle: Link | null;
  /** The IP resource of a hub that the path needs. It exists once the hub has offloaded the pod. */
  readonly mapping: Mapping | null;
  /** Sentences about other clusters that use the dialled address, and the addresses to dial for them. */
  readonly others: readonly string[];
  /** Sentences about the entries that let it in, and about policies of namespaces that the request does not name. */
  readonly policies: readonly string[];
  readonly there: readonly PacketHop[];
  /** Empty unless the packet is delivered. */
  readonly back: readonly PacketHop[];
}

interface Sender {
  readonly cluster: string;
  readonly address: Address;
  readonly port: number | null;
  readonly isNode: boolean;
}

interface Receiver {
  /** `null` for an address that no cluster has, or whose cluster is known only at run time. */
  readonly cluster: string | null;
  /** The address as its own cluster uses it; the address that the sender dials when the cluster is `null`. */
  readonly address: Address;
  readonly port: number | null;
}

export type NextHop =
  | { readonly kind: 'local' }
  | { readonly kind: 'direct'; readonly link: Link }
  /** `hubs`: all clusters with working links to both, in order of name; the packet passes `hub`. */
  | { readonly kind: 'through'; readonly hub: string; readonly hubs: readonly string[] }
  | { readonly kind: 'none' };

/**
 * Traces a packet from pod to pod through the compiled network, and the answer back, over the model and the typed
 * rules. A cluster without an address means its representative pod.
 *
 * @param live the state of live clusters. Senders there dial what follows from the views, whether it arrives or not.
 */
export function trace(model: TracedNetwork, asked: TraceRequest, live?: LiveState): Trace {
  const sender = clusterNamed(model, asked.from.cluster);
  const receiver = asked.to.kind === 'cluster' ? clusterNamed(model, asked.to.cluster) : null;
  const { request, transport } = atOpening(model, { sender, receiver }, asked);
  const from = senderOf(sender, request);
  const refused = senderFate(sender, from);
  const to: Resolved = refused ? { kind: 'decided', fate: refused } : resolveDestination(model, sender, request);
  if (to.kind === 'decided') return withoutWalk(model, request, from, to.fate);
  const mayOffload = mayOffloadIn(model);
  const given = (request.mappings ?? []).map((it): Mapping => ({ ...it, external: known(it.external) }));
  const walked = ({ destination, mapping }: Sending, state?: LiveState) => {
    const walk = walkThere({
      cluster: sender,
      by: from.isNode ? 'node' : 'pod',
      packet: { source: from.address, destination },
      mappings: mapping ? [mapping, ...given] : given,
      live: state,
      boundaries: model.boundaries,
      transport,
    });
    const isMapped = (hub: string, to: string) => mapping?.external.kind !== 'allocated' || mayOffload(hub, to);
    const fate = withOtherRules(fateOf(walk, sender, isMapped), walk);
    const policy = judgePolicies(arrives(fate) ? model.boundaries : undefined, asked, walk, transport);
    return { destination, mapping, walk, policy, fate: policy.fate ?? fate };
  };
  const ways = live && to.idle && to.direct ? ([to.direct] as const) : to.ways;
  const dialled = firstThatArrives(ways, (way) => ({ way, ...walked(way) }));
  const { destination, mapping, walk, policy, fate } = live ? walked(dialled.way, live) : dialled;
  const received = arrives(fate) ? walk.end.packet : null;
  return {
    from,
    to: receiverOf(model, request, walk.end),
    route: routeOf(walk, to.hubs, mapping !== null),
    fate,
    sent: { source: from.address, destination },
    received,
    idle: walk.end.how.kind === 'without-keys' ? walk.end.how.link : to.idle,
    mapping,
    others: othersOf(model, sender, request.to),
    policies: policy.sentences,
    there: policy.fate === null ? walk.steps : policy.isAtSender ? walk.steps.slice(0, 1) : walk.steps.slice(0, -1),
    back: received ? walkBack(walk) : [],
  };
}

/**
 * Sentences about other owners, for an address without a cluster, and for an address that is no pod of the named
 * cluster.
 */
function othersOf(model: TracedNetwork, sender: AddressedCluster, to: TraceTo): readonly string[] {
  if (to.address === null) return [];
  const isPod = (it: AddressedCluster, address: number) =>
    it.podCIDRs.some((cidr) => containsAddress(cidr.value, address));
  if (to.kind === 'cluster' && isPod(clusterNamed(model, to.cluster), to.address)) return [];
  return otherOwners(model, sender, to.address);
}

/** The first path by which the packet arrives; the first of all when it arrives by none. */
function firstThatArrives<T extends { readonly fate: Fate }>(
  [first, ...others]: readonly [Sending, ...Sending[]],
  walked: (way: Sending) => T,
): T {
  const preferred = walked(first);
  if (arrives(preferred.fate)) return preferred;
  for (const it of others) {
    const other = walked(it);
    if (arrives(other.fate)) return other;
  }
  return preferred;
}

function senderOf(cluster: AddressedCluster, { from, fromNode = false }: TraceRequest): Sender {
  const unnamed: Address = fromNode ? { kind: 'node' } : known(representativePod(cluster));
  const address = from.address === null ? unnamed : known(from.address);
  return { cluster: cluster.name, address, port: from.port ?? null, isNode: fromNode };
}

/** The fate of a packet from a sender that cannot send; `undefined` for any other sender. */
function senderFate(cluster: AddressedCluster, { address, isNode }: Sender): Fate | undefined {
  if (cluster.retired) return fates.retired(cluster);
  if (isNode || address.kind !== 'known') return undefined;
  const isPod = cluster.podCIDRs.some((it) => containsAddress(it.value, address.value));
  return isPod ? undefined : fates.senderNotAPod(cluster, address.value);
}

/** A trace without a walk, whose fate is already known. Inside one cluster the packet arrives as it was sent. */
function withoutWalk(model: TracedNetwork, { to }: TraceRequest, from: Sender, fate: Fate): Trace {
  const receiver = requestedReceiver(model, to);
  const packet = fate.kind === 'self' ? { source: from.address, destination: receiver.address } : null;
  return {
    from,
    to: receiver,
    route: { kind: fate.kind === 'self' ? 'local' : 'none' },
    fate,
    sent: packet,
    received: packet,
    idle: null,
    mapping: null,
    policies: [],
    others: fate.kind === 'not-a-pod-address' ? othersOf(model, clusterNamed(model, from.cluster), to) : [],
    there: [],
    back: [],
  };
}

/** The fate of a packet that was lost where a gateway or a node has other rules than those that follow from the views. */
function withOtherRules(fate: Fate, { crossings, end: { how } }: Walk): Fate {
  const passed = how.kind === 'lost-in-gateway' ? [...crossings, how.crossing] : crossings;
  const [unlike] = arrives(fate) ? [] : passed.flatMap((it) => it.unlike);
  return unlike === undefined ? fate : fates.byOtherRules(fate, unlike);
}

function fateOf({ crossings, end }: Walk, sender: AddressedCluster, isMapped: MayOffload): Fate {
  const { cluster, packet, how } = end;
  const [first, second] = crossings;
  switch (how.kind) {
    case 'in-pod':
      if (!first) return fates.self(sender);
      if (!second) return fates.delivered(sender.name, cluster.name);
      return isMapped(first.far.name, cluster.name)
        ? fates.deliveredThrough(first.far.name, cluster.name)
        : fates.needsOffloading(sender, first.far.name, cluster);
    case 'in-no-network':
      return first ? fates.leavesFleet(cluster, packet.destination) : fates.noView(cluster, packet.destination);
    case 'in-several-networks':
      return fates.ambiguous(cluster, packet.destination, how.meanings);
    case 'in-own-network':
      return isUnmapped(end) && first
        ? fates.needsRunTimeAddress(cluster, packet.destination)
        : fates.inOwnNetwork(cluster, packet.destination);
    case 'without-keys':
      return fates.noKeys(how.link);
    case 'unanswerable':
      return fates.noReturn(cluster, packet.source, crossings.at(-1)?.here.name ?? sender.name);
    case 'without-route':
      return fates.withoutRoute(how);
    case 'lost-in-gateway':
      return fates.lostInGateway(how.crossing);
    case 'refused':
      return fates.refused(
        how.crossing,
        crossings.length === 0 && sameAddress(how.crossing.node.before.source, how.crossing.node.after.source),
      );
    case 'in-a-ring':
      return fates.ring(cluster);
  }
}

/** True for an address in the external CIDR other than its first one, the unknown source. */
function isUnmapped({ cluster, packet: { destination }, how }: WalkEnd): boolean {
  if (how.kind !== 'in-own-network' || how.meaning.role !== 'external') return false;
  return destination.kind !== 'known' || destination.value !== unknownSource(cluster);
}

/**
 * The route that a packet took. A packet to an address that a hub maps is on a route through the hub, even when it gets
 * no further than the hub.
 */
function routeOf({ crossings, end }: Walk, hubs: readonly string[], isMapped: boolean): NextHop {
  const [first, second] = crossings;
  if (end.how.kind === 'without-keys') return { kind: 'none' };
  if (!first) return { kind: end.how.kind === 'in-pod' ? 'local' : 'none' };
  if (!second && !isMapped) return { kind: 'direct', link: first.peer.link };
  const hub = first.far.name;
  return { kind: 'through', hub, hubs: hubs.includes(hub) ? hubs : [hub] };
}

function receiverOf(model: AddressedModel, { to }: TraceRequest, { cluster, packet, how }: WalkEnd): Receiver {
  if (how.kind !== 'in-pod') return requestedReceiver(model, to);
  return { cluster: cluster.name, address: packet.destination, port: to.port ?? null };
}

function requestedReceiver(model: AddressedModel, to: TraceTo): Receiver {
  const port = to.port ?? null;
  if (to.kind === 'address') return { cluster: null, address: known(to.address), port };
  const cluster = clusterNamed(model, to.cluster);
  return { cluster: to.cluster, address: known(to.address ?? representativePod(cluster)), port };
}

import { addAll } from '../../base/core/collections.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { type AddressedCluster, remoteEnd } from '../../fleet/ipam/addressed-model.ts';
import { carriesPackets, type Link } from '../../fleet/model/network-model.ts';
import { type Meaning, meaningsOf } from '../whois/owners-of.ts';
import { type Address, networkOf, sameAddress } from './address.ts';
import {
  type Crossing,
  crossLink,
  GATEWAY_TO_POD,
  GATEWAY_TO_SENDER,
  GATEWAY_TO_TRANSIT,
  intoTunnel,
  type KnownAtRunTime,
  nodeToGateway,
  type Tracked,
} from './cross-link.ts';
import {
  answerTo,
  type Did,
  type LiveState,
  type Packet,
  type PacketHop,
  type PeerRoute,
  samePacket,
} from './packet.ts';

export interface Walk {
  readonly steps: readonly PacketHop[];
  readonly crossings: readonly Crossing[];
  readonly end: WalkEnd;
}

/** The place where a packet ended, with the addresses that it has there. */
export interface WalkEnd {
  readonly cluster: AddressedCluster;
  readonly packet: Packet;
  readonly how: HowEnded;
}

type HowEnded =
  | { readonly kind: 'in-pod' }
  /** The destination is in a network of the cluster that contains no pods. */
  | { readonly kind: 'in-own-network'; readonly meaning: Meaning & { readonly kind: 'own' } }
  | { readonly kind: 'in-no-network' }
  | { readonly kind: 'in-several-networks'; readonly meanings: readonly Meaning[] }
  /** The packet ended before a tunnel that never comes up, because a gateway of its link has no public key. */
  | { readonly kind: 'without-keys'; readonly link: Link }
  /** An answer to the packet's source would not be routed back to the sender. */
  | { readonly kind: 'unanswerable' }
  /** A live cluster lacks a route, for the packet or for its answer. */
  | ({ readonly kind: 'without-route' } & LostRoute)
  /** The gateway translated the destination to one that is in no network of the peer, so it has no route for it. */
  | { readonly kind: 'lost-in-gateway'; readonly crossing: Crossing }
  /** The fence of a gateway refused the packet. */
  | { readonly kind: 'refused'; readonly crossing: Crossing }
  /** Single addresses are mapped to each other in a circle. */
  | { readonly kind: 'in-a-ring' };

export interface LostRoute {
  readonly cluster: string;
  readonly peer: string;
  readonly of: PeerRoute;
  /** The name of the RouteConfiguration. */
  readonly route: string;
  readonly to: Address;
  readonly isOfAnswer: boolean;
}

interface WalkStart extends KnownAtRunTime {
  readonly cluster: AddressedCluster;
  readonly by: 'pod' | 'node';
  readonly packet: Packet;
}

/**
 * Walks the first packet of a connection from its sender to its end. In each cluster it is routed by its destination.
 */
export function walkThere({ cluster, by, packet, ...known }: WalkStart): Walk {
  const { mappings, live } = known;
  const steps: PacketHop[] = [{ cluster: cluster.name, ...packet, did: { kind: 'sent', by } }];
  const crossings: Crossing[] = [];
  let here = cluster;
  let now = packet;
  const ended = (how: HowEnded): Walk => ({ steps, crossings, end: { cluster: here, packet: now, how } });
  // Each crossing after the first one follows a mapping, and a walk without a circle uses each mapping at most once.
  while (crossings.length <= mappings.length + 1) {
    const [meaning, ...others] = meaningsAt(here, now.destination);
    if (meaning === undefined) return ended({ kind: 'in-no-network' });
    if (others.length > 0) return ended({ kind: 'in-several-networks', meanings: [meaning, ...others] });
    if (meaning.kind === 'own') return ended({ kind: 'in-own-network', meaning });
    const last = crossings.at(-1);
    if (last) steps.push(overlayFrom(last, now, meaning));
    if (meaning.kind === 'pod') {
      steps.push({ cluster: here.name, ...now, did: { kind: 'received', by: 'pod' } });
      return ended({ kind: 'in-pod' });
    }
    const { peer } = meaning;
    const transit = last && lost(live, { cluster: here.name, peer: peer.name, of: 'to-node', to: now.destination });
    if (transit) return ended({ kind: 'without-route', ...transit, isOfAnswer: false });
    if (!carriesPackets(peer.link)) return ended({ kind: 'without-keys', link: peer.link });
    const crossing = crossLink(here, peer, now, known);
    const there = lostThere(crossing, live);
    if (there) {
      addAll(steps, crossing.steps.slice(0, there.hops));
      return ended({ kind: 'without-route', ...there, isOfAnswer: false });
    }
    addAll(steps, crossing.steps);
    if (crossing.isLost) {
      now = crossing.gateway.after;
      return ended({ kind: 'lost-in-gateway', crossing });
    }
    if (crossing.isRefused) {
      now = crossing.farGateway.before;
      return ended({ kind: 'refused', crossing });
    }
    crossings.push(crossing);
    here = crossing.far;
    now = crossing.farGateway.after;
    if (!isAnswerable(crossing)) return ended({ kind: 'unanswerable' });
    const answer = lostBack(crossing, live);
    if (answer) return ended({ kind: 'without-route', ...answer, isOfAnswer: true });
  }
  return ended({ kind: 'in-a-ring' });
}

function meaningsAt(cluster: AddressedCluster, address: Address): readonly Meaning[] {
  const network = networkOf(address);
  return network === null ? [] : meaningsOf(cluster, network);
}

function overlayFrom({ far, here }: Crossing, packet: Packet, meaning: Meaning): PacketHop {
  const route = meaning.kind === 'pod' ? GATEWAY_TO_POD : GATEWAY_TO_TRANSIT;
  return { cluster: far.name, ...packet, did: { kind: 'overlay', to: 'node', peer: here.name, route } };
}

/** True when an answer is routed into the gateway that forwarded the packet, which tracks the connection. */
function isAnswerable({ far, here, farGateway }: Crossing): boolean {
  const [meaning, ...others] = meaningsAt(far, farGateway.after.source);
  return others.length === 0 && meaning?.kind === 'peer' && meaning.peer.name === here.name;
}

/** The route if the cluster lacks it. */
function lost(
  live: LiveState | undefined,
  { cluster, peer, of, to }: Omit<LostRoute, 'route' | 'isOfAnswer'>,
): Omit<LostRoute, 'isOfAnswer'> | undefined {
  const network = live && networkOf(to);
  const route = network ? live.lackingRoute(cluster, peer, of, network) : undefined;
  return route === undefined ? undefined : { cluster, peer, of, route, to };
}

/** The first route that a crossing lacks, and the number of hops before it. */
function lostThere({ here, far, node, gateway, steps }: Crossing, live: LiveState | undefined) {
  const ends = { cluster: here.name, peer: far.name };
  const hopsTo = (kind: Did['kind']): number => steps.findIndex(({ did }) => did.kind === kind);
  const toGateway = lost(live, { ...ends, of: 'to-gateway', to: node.after.destination });
  if (toGateway) return { ...toGateway, hops: hopsTo('overlay') };
  const intoTunnel = lost(live, { ...ends, of: 'into-tunnel', to: gateway.after.destination });
  return intoTunnel && { ...intoTunnel, hops: hopsTo('tunnel') };
}

/** The first route that the answer lacks. */
function lostBack({ here, far, farGateway }: Crossing, live: LiveState | undefined) {
  const ends = { cluster: far.name, peer: here.name };
  return (
    lost(live, { ...ends, of: 'to-gateway', to: farGateway.after.source }) ??
    lost(live, { ...ends, of: 'into-tunnel', to: farGateway.before.source })
  );
}

/** True when a node replaced the sender's address by its cluster's unknown source. */
const isSourceReplaced = ({ node }: Crossing): boolean => !sameAddress(node.before.source, node.after.source);

/**
 * Walks the receiver's answer from the end of the packet's walk to its sender; connection tracking reverses each
 * translation.
 */
export function walkBack({ crossings, end, steps: there }: Walk): readonly PacketHop[] {
  const [first] = there;
  if (first === undefined || first.did.kind !== 'sent') return bug('a walk has no sender');
  let now = answerTo(end.packet);
  const steps: PacketHop[] = [{ cluster: end.cluster.name, ...now, did: { kind: 'sent', by: 'pod' } }];
  for (const crossing of crossings.toReversed()) {
    addAll(steps, crossBack(crossing, now));
    now = answerTo(crossing.node.before);
  }
  // The sender drops an answer whose addresses are not those of its packet.
  if (!samePacket(now, answerTo(first))) return bug('an answer arrives with other addresses');
  return [...steps, { cluster: first.cluster, ...now, did: { kind: 'received', by: first.did.by } }];
}

function crossBack(crossing: Crossing, answer: Packet): readonly PacketHop[] {
  const { here, far, peer } = crossing;
  const atFar = reversed(crossing.farGateway, answer);
  const atGateway = reversed(crossing.gateway, atFar);
  const atNode = reversed(crossing.node, atGateway);
  const step = (cluster: string, { source, destination }: Packet, did: Did): PacketHop => ({
    cluster,
    source,
    destination,
    did,
  });
  const isReplaced = isSourceReplaced(crossing);
  return [
    step(far.name, answer, { kind: 'overlay', to: 'gateway', peer: here.name, route: nodeToGateway(here.name) }),
    step(far.name, atFar, { kind: 'undone', on: 'gateway', peer: here.name }),
    step(here.name, atFar, { kind: 'tunnel', link: peer.link, to: here.name, route: intoTunnel(remoteEnd(peer)) }),
    step(here.name, atGateway, { kind: 'undone', on: 'gateway', peer: far.name }),
    step(here.name, atGateway, {
      kind: 'overlay',
      to: 'node',
      peer: far.name,
      route: isReplaced ? GATEWAY_TO_SENDER : GATEWAY_TO_POD,
    }),
    ...(isReplaced ? [step(here.name, atNode, { kind: 'undone', on: 'node', peer: far.name } as const)] : []),
  ];
}

function reversed({ before, after }: Tracked, answer: Packet): Packet {
  return samePacket(answer, answerTo(after)) ? answerTo(before) : bug('an answer matches no tracked connection');
}

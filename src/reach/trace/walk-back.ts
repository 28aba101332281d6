import { bug } from '../../base/diagnostics/bug.ts';
import { remoteEnd } from '../../fleet/ipam/addressed-model.ts';
import {
  type Crossing,
  GATEWAY_TO_POD,
  GATEWAY_TO_SENDER,
  intoTunnel,
  nodeToGateway,
  type Tracked,
} from './cross-link.ts';
import { answerTo, type Packet, samePacket } from './packet.ts';
import type { Did, PacketHop } from './packet-hop.ts';
import { isSourceReplaced, type Walk } from './walk-there.ts';

/** The receiver's answer, from where the packet ended to its sender; connection tracking reverses each translation. */
export function walkBack({ crossings, end, steps: there }: Walk): readonly PacketHop[] {
  const [first] = there;
  if (first === undefined || first.did.kind !== 'sent') return bug('a walk has no sender');
  let now = answerTo(end.packet);
  const steps: PacketHop[] = [{ cluster: end.cluster.name, ...now, did: { kind: 'sent', by: 'pod' } }];
  for (const crossing of crossings.toReversed()) {
    steps.push(...crossBack(crossing, now));
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

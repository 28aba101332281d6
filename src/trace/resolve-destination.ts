import { byCodeUnit } from '../core/order.ts';
import { bug } from '../diagnostics/bug.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  type Peer,
  unknownSource,
  type View,
} from '../ipam/addressed-model.ts';
import { clusterNamed } from '../ipam/cluster-named.ts';
import { containsAddress, moveHost } from '../net/prefix.ts';
import { type Address, allocatedIn, known, moveTo } from './address.ts';
import { commonHubs } from './common-hubs.ts';
import type { Mapping } from './cross-link.ts';
import type { Fate } from './fate.ts';
import * as fates from './fates.ts';
import { representativePod } from './representative-pod.ts';
import type { TraceRequest } from './trace-request.ts';

/** The address to which a sender has to send to reach the requested receiver. */
export type Resolved =
  | {
      readonly kind: 'send';
      readonly destination: Address;
      /** The IP resource that a hub on the way needs. */
      readonly mapping: Mapping | null;
      /** Hubs that both ends share; empty when none is needed. */
      readonly hubs: readonly string[];
    }
  /** There is no packet to send, or no address to send it to. */
  | { readonly kind: 'decided'; readonly fate: Fate };

type Decided = Resolved & { readonly kind: 'decided' };

const decided = (fate: Fate): Decided => ({ kind: 'decided', fate });

export function resolveDestination(
  model: AddressedModel,
  sender: AddressedCluster,
  { to, through, mappings = [] }: TraceRequest,
): Resolved {
  if (to.kind === 'address') return send(known(to.address));
  const receiver = clusterNamed(model, to.cluster);
  if (receiver.retired) return decided(fates.retired(receiver));
  const address = to.address ?? representativePod(receiver);
  const index = receiver.podCIDRs.findIndex((it) => containsAddress(it.value, address));
  const pod: Pod = { cluster: receiver, address, index };
  if (index === -1) return toOtherAddress(sender, pod, through);
  if (receiver === sender) return decided(fates.self(sender));
  const peer = through === undefined ? sender.peers.get(receiver.name) : undefined;
  if (!peer) return throughHub(model, sender, pod, { through, mappings });
  return send(seen(viewOf(sender, peer, pod), address));
}

interface Pod {
  readonly cluster: AddressedCluster;
  readonly address: number;
  /** Of its pod CIDR in the list of the cluster. */
  readonly index: number;
}

const send = (destination: Address, mapping: Mapping | null = null, hubs: readonly string[] = []): Resolved => ({
  kind: 'send',
  destination,
  mapping,
  hubs,
});

const viewOf = (viewer: AddressedCluster, peer: Peer, { index }: Pod): View =>
  peer.podViews[index] ?? bug(`"${viewer.name}" has no view of a pod CIDR of "${peer.name}"`);

const seen = ({ seenAs }: View, address: number): Address => known(moveHost(address, seenAs));

/** An address that is no pod. Peers can reach those of an external CIDR, which is mapped; no other one. */
function toOtherAddress(sender: AddressedCluster, { cluster, address }: Pod, through: string | undefined): Resolved {
  const peer = through === undefined ? sender.peers.get(cluster.name) : undefined;
  const isExternal = containsAddress(cluster.externalCIDR, address) && address !== unknownSource(cluster);
  return peer && isExternal ? send(seen(peer.externalView, address)) : decided(fates.notAPod(cluster, address, sender));
}

/** A leaf reaches another one by the address that a common hub maps to the pod. */
function throughHub(
  model: AddressedModel,
  sender: AddressedCluster,
  pod: Pod,
  {
    through,
    mappings,
  }: { readonly through: string | undefined; readonly mappings: NonNullable<TraceRequest['mappings']> },
): Resolved {
  const shared = commonHubs(sender, pod.cluster);
  const hubs = through === undefined || shared.includes(through) ? shared : [through];
  const hub = model.clusters.get(through ?? hubs[0] ?? '');
  if (!hub) return decided(fates.noLink(sender, pod.cluster, between(sender, pod.cluster)));
  const toHub = sender.peers.get(hub.name);
  const toPod = hub.peers.get(pod.cluster.name);
  if (!toHub || !toPod) return decided(fates.noSuchHub(hub, sender, pod.cluster));
  const real = moveHost(pod.address, viewOf(hub, toPod, pod).seenAs);
  const given = mappings.find((it) => it.cluster === hub.name && it.real === real);
  const external = given ? known(given.external) : allocatedIn(hub.externalCIDR);
  return send(moveTo(toHub.externalView.seenAs, external), { cluster: hub.name, external, real }, hubs);
}

/** Clusters that have a link to both. */
function between(a: AddressedCluster, b: AddressedCluster): readonly string[] {
  return [...a.peers.keys()].filter((name) => b.peers.has(name)).sort(byCodeUnit);
}

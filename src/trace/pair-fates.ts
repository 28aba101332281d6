import { bug } from '../diagnostics/bug.ts';
import { type AddressedCluster, type AddressedModel, type Peer, unknownSource } from '../ipam/addressed-model.ts';
import type { Link } from '../model/network-model.ts';
import { moveHost } from '../net/prefix.ts';
import { allocatedIn, known } from './address.ts';
import { commonHubs } from './common-hubs.ts';
import type { FateKind } from './fate.ts';
import { representativePod } from './representative-pod.ts';
import { trace } from './trace.ts';
import { walkThere } from './walk-there.ts';

/** The fate of packets from one cluster's representative pod to another's. */
export interface PairFate {
  readonly from: string;
  readonly to: string;
  readonly way: Way;
  readonly fate: FateKind;
}

type Way =
  | { readonly kind: 'direct'; readonly link: Link }
  | { readonly kind: 'through'; readonly hub: string }
  | { readonly kind: 'none' };

export interface PairFates {
  readonly between: (from: AddressedCluster, to: AddressedCluster) => PairFate;
  /**
   * True when every spoke reaches its hubs and is reached from them, so that any two with a common hub reach each
   * other.
   */
  readonly hubsWork: () => boolean;
}

/**
 * The fates of pairs, without the steps. A way through a hub has two legs, and each leg is walked once: the cost grows
 * with the number of links, not of pairs.
 */
export function pairFatesOf(model: AddressedModel): PairFates {
  const direct = memoized((from, to) => trace(model, pair(from, to)).fate.kind);
  const intoHub = memoized(fateIntoHub);
  const outOfHub = memoized(fateOutOfHub);
  const throughHub = (from: AddressedCluster, hub: AddressedCluster, to: AddressedCluster): FateKind => {
    const into = intoHub(from, hub);
    return into === 'delivered' ? outOfHub(hub, to) : into;
  };
  const between = (from: AddressedCluster, to: AddressedCluster): PairFate => {
    const ends = { from: from.name, to: to.name };
    const nowhere = (fate: FateKind): PairFate => ({ ...ends, way: { kind: 'none' }, fate });
    if (from.retired || to.retired) return nowhere('retired');
    if (from === to) return nowhere('self');
    const link = from.peers.get(to.name)?.link;
    if (link) return { ...ends, way: { kind: 'direct', link }, fate: direct(from, to) };
    const hub = commonHubs(from, to)[0];
    if (hub === undefined) return nowhere('no-route');
    return { ...ends, way: { kind: 'through', hub }, fate: throughHub(from, hubOf(from, hub).cluster, to) };
  };
  const hubsWork = () =>
    [...model.clusters.values()].every((it) =>
      it.hubs.every((hub) => throughHub(it, hubOf(it, hub).cluster, it) === 'delivered'),
    );
  return { between, hubsWork };
}

const pair = (from: AddressedCluster, to: AddressedCluster) => ({
  from: { cluster: from.name, address: null },
  to: { kind: 'cluster', cluster: to.name, address: null } as const,
});

const hubOf = (spoke: AddressedCluster, hub: string): Peer =>
  spoke.peers.get(hub) ?? bug(`"${spoke.name}" has no link to its hub "${hub}"`);

/** From a pod to an address in the hub's external CIDR, as if it were mapped to a pod. */
function fateIntoHub(from: AddressedCluster, hub: AddressedCluster): FateKind {
  const peer = hubOf(from, hub.name);
  const { end } = walkThere({
    cluster: from,
    by: 'pod',
    packet: { source: known(representativePod(from)), destination: allocatedIn(peer.externalView.seenAs) },
    mappings: [],
  });
  switch (end.how.kind) {
    case 'unanswerable':
      return 'no-return';
    case 'in-several-networks':
      return 'ambiguous';
    default:
      return end.cluster === hub ? 'delivered' : 'no-route';
  }
}

/** From the hub to a pod of a spoke, with the hub's unknown source as its source. */
function fateOutOfHub(hub: AddressedCluster, to: AddressedCluster): FateKind {
  const peer = hub.peers.get(to.name) ?? bug(`the hub "${hub.name}" has no link to "${to.name}"`);
  const view = peer.podViews[0] ?? bug(`"${hub.name}" has no view of "${to.name}"`);
  const destination = known(moveHost(representativePod(to), view.seenAs));
  const packet = { source: known(unknownSource(hub)), destination };
  const { end } = walkThere({ cluster: hub, by: 'node', packet, mappings: [] });
  switch (end.how.kind) {
    case 'in-pod':
      return 'delivered';
    case 'unanswerable':
      return 'no-return';
    case 'in-several-networks':
      return 'ambiguous';
    default:
      return 'no-route';
  }
}

type OfPair<T> = (a: AddressedCluster, b: AddressedCluster) => T;

function memoized<T>(compute: OfPair<T>): OfPair<T> {
  const kept = new Map<AddressedCluster, Map<AddressedCluster, T>>();
  return (a, b) => {
    const ofFirst = kept.get(a) ?? new Map<AddressedCluster, T>();
    kept.set(a, ofFirst);
    const old = ofFirst.get(b);
    if (old !== undefined) return old;
    const fresh = compute(a, b);
    ofFirst.set(b, fresh);
    return fresh;
  };
}

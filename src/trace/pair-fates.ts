import { bug } from '../diagnostics/bug.ts';
import { type AddressedCluster, type AddressedModel, type Peer, unknownSource } from '../ipam/addressed-model.ts';
import { clusterNamed } from '../ipam/cluster-named.ts';
import { clustersBetween } from '../ipam/clusters-between.ts';
import { carriesPackets } from '../model/keyless-ends.ts';
import type { Assertion, Link } from '../model/network-model.ts';
import { pathsOf } from '../model/paths-of.ts';
import { moveHost } from '../net/prefix.ts';
import { allocatedIn, known } from './address.ts';
import type { FateKind } from './fate.ts';
import { representativePod } from './representative-pod.ts';
import { walkThere } from './walk-there.ts';

/** The fate of packets from one cluster's representative pod to another's. */
export interface PairFate {
  readonly from: string;
  readonly to: string;
  readonly way: Way;
  readonly fate: FateKind;
  /** With the fate `no-keys`, the first link on the way that lacks a key; else `null`. */
  readonly keyless: Link | null;
}

type Way =
  | { readonly kind: 'direct'; readonly link: Link }
  /** `hubs`: all clusters with working links to both, in order of name; the packet follows `hub`. */
  | { readonly kind: 'through'; readonly hub: string; readonly hubs: readonly string[] }
  | { readonly kind: 'none' };

export interface PairFates {
  /**
   * By the first way that delivers: the link of the two, then the clusters between them by name. `via` allows only one
   * kind of way.
   */
  readonly between: (from: AddressedCluster, to: AddressedCluster, via?: Assertion['via']) => PairFate;
  /** Over the link of the two, which carries packets. */
  readonly overLink: (from: AddressedCluster, to: AddressedCluster) => FateKind;
  /** Through a cluster with links to both, which carry packets. */
  readonly through: (from: AddressedCluster, hub: AddressedCluster, to: AddressedCluster) => FateKind;
  /** True when packets pass every working link both ways, so that any two with a cluster between reach each other. */
  readonly linksWork: () => boolean;
}

/**
 * The fates of pairs, without the steps. A way through a hub has two legs, and each leg is walked once: the cost grows
 * with the number of links, not of pairs.
 */
export function pairFatesOf(model: AddressedModel): PairFates {
  const direct = memoized((from, to) => fateOverLink(from, to, { by: 'pod', source: representativePod(from) }));
  const intoHub = memoized(fateIntoHub);
  const outOfHub = memoized((hub, to) => fateOverLink(hub, to, { by: 'node', source: unknownSource(hub) }));
  const throughHub = (from: AddressedCluster, hub: AddressedCluster, to: AddressedCluster): FateKind => {
    const into = intoHub(from, hub);
    return into === 'delivered' ? outOfHub(hub, to) : into;
  };
  const paths = pathsOf(model.links);
  const fateOf = (from: AddressedCluster, to: AddressedCluster, way: Way): FateKind =>
    way.kind === 'through' ? throughHub(from, peerNamed(from, way.hub).cluster, to) : direct(from, to);
  const between = (from: AddressedCluster, to: AddressedCluster, via: Assertion['via'] = null): PairFate => {
    const ends = { from: from.name, to: to.name };
    const nowhere = (fate: FateKind, keyless: Link | null = null): PairFate => ({
      ...ends,
      way: { kind: 'none' },
      fate,
      keyless,
    });
    if (from.retired || to.retired) return nowhere('retired');
    if (from === to) return nowhere('self');
    const link = via === 'hub' ? undefined : from.peers.get(to.name)?.link;
    const hubs = via === 'shortcut' ? [] : paths.between(from.name, to.name);
    const ways: readonly Way[] = [
      ...(link && carriesPackets(link) ? [{ kind: 'direct', link } as const] : []),
      ...hubs.map((hub) => ({ kind: 'through', hub, hubs }) as const),
    ];
    const tried: PairFate[] = [];
    for (const way of ways) {
      const it: PairFate = { ...ends, way, fate: fateOf(from, to, way), keyless: null };
      if (it.fate === 'delivered') return it;
      tried.push(it);
    }
    if (tried[0]) return tried[0];
    const keyless = link ?? (via === 'shortcut' ? undefined : keylessBetween(from, to));
    return keyless === undefined ? nowhere('no-route') : nowhere('no-keys', keyless);
  };
  const linksWork = () =>
    model.links.filter(carriesPackets).every(({ server, client }) => {
      const [a, b] = [clusterNamed(model, server.cluster.name), clusterNamed(model, client.cluster.name)];
      return throughHub(a, b, a) === 'delivered' && throughHub(b, a, b) === 'delivered';
    });
  return { between, overLink: direct, through: throughHub, linksWork };
}

/** Of two clusters with no way but through links without keys: the first such link through the first cluster. */
function keylessBetween(from: AddressedCluster, to: AddressedCluster): Link | undefined {
  const [hub] = clustersBetween(from, to);
  if (hub === undefined) return undefined;
  const [ahead, onward] = [peerNamed(from, hub).link, peerNamed(to, hub).link];
  return carriesPackets(ahead) ? onward : ahead;
}

const peerNamed = (cluster: AddressedCluster, name: string): Peer =>
  cluster.peers.get(name) ?? bug(`"${cluster.name}" has no link to "${name}"`);

/** From a pod to an address in the hub's external CIDR, as if it were mapped to a pod. */
function fateIntoHub(from: AddressedCluster, hub: AddressedCluster): FateKind {
  const peer = peerNamed(from, hub.name);
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

interface Sender {
  readonly by: 'pod' | 'node';
  readonly source: number;
}

/** From one cluster to the representative pod of another, over the link of the two. */
function fateOverLink(from: AddressedCluster, to: AddressedCluster, { by, source }: Sender): FateKind {
  const view = peerNamed(from, to.name).podViews[0] ?? bug(`"${from.name}" has no view of "${to.name}"`);
  const destination = known(moveHost(representativePod(to), view.seenAs));
  const { end } = walkThere({ cluster: from, by, packet: { source: known(source), destination }, mappings: [] });
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

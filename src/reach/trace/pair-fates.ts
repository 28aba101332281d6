import { once, oncePer } from '../../base/core/once.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { moveHost } from '../../base/net/prefix.ts';
import type { Boundaries } from '../../fleet/boundaries/bounded-model.ts';
import {
  type AddressedCluster,
  clusterNamed,
  clustersBetween,
  type Peer,
  unknownSource,
  type View,
} from '../../fleet/ipam/addressed-model.ts';
import { type AssertedFlow, type Assertion, carriesPackets, type Link } from '../../fleet/model/network-model.ts';
import { type Paths, pathsOf } from '../../fleet/model/paths.ts';
import { type MayOffload, mayOffloadIn } from '../../fleet/sharing/shared-model.ts';
import { allocatedIn, known, representativePod } from './address.ts';
import type { KnownAtRunTime } from './cross-link.ts';
import type { FateKind } from './fates.ts';
import { findFlow } from './open-flows.ts';
import type { LiveState, TracedNetwork } from './packet.ts';
import { walkThere } from './walk.ts';

/** The fate of packets from one cluster's representative pod to another's. */
export interface PairFate {
  readonly from: string;
  readonly to: string;
  readonly way: PairPath;
  readonly fate: FateKind;
  /** With the fate `no-keys`, the first link on the way that lacks a key; one that is off in a what-if; else `null`. */
  readonly keyless: Link | null;
}

export type PairPath = { readonly kind: 'direct'; readonly link: Link } | Through | { readonly kind: 'none' };

interface Through {
  readonly kind: 'through';
  readonly hub: string;
  /** All clusters with working links to both, in order of name; the packet passes `hub`. */
  readonly hubs: readonly string[];
}

export interface PairFates {
  /**
   * The fate by the first path that delivers: the link of the two, then the clusters between them by name. `via` allows
   * only one kind of path.
   */
  readonly between: (from: AddressedCluster, to: AddressedCluster, via?: Assertion['via']) => PairFate;
  /** Every path that delivers, in the order in which `between` chooses one. */
  readonly delivering: (from: AddressedCluster, to: AddressedCluster, via?: Assertion['via']) => readonly PairPath[];
  /** The fates by any path from one sender to many receivers: shared data is prepared once. */
  readonly from: (sender: AddressedCluster) => (to: AddressedCluster) => PairFate;
  /** The fate over the link of the two, which carries packets. */
  readonly overLink: (from: AddressedCluster, to: AddressedCluster) => FateKind;
  readonly mayOffload: MayOffload;
  /** The fate through a cluster with links to both, which carry packets. */
  readonly through: (from: AddressedCluster, hub: AddressedCluster, to: AddressedCluster) => FateKind;
  /**
   * True when packets pass every working link in both directions, so that any two clusters with a cluster between them
   * that may offload reach each other.
   */
  readonly linksWork: () => boolean;
  /**
   * True when packets from pod to pod pass every working link, too, so that any two clusters with a working link reach
   * each other.
   */
  readonly linksDeliver: () => boolean;
}

/**
 * The fates of pairs, without the steps. A path through a hub has two legs, and each leg is walked once: the cost grows
 * with the number of links, not of pairs.
 */
export function pairFatesOf(model: TracedNetwork, live?: LiveState, asked = ANY_FLOW): PairFates {
  const { boundaries } = model;
  const { overLink, intoHub, outOfHub } = live ? walksOf({ mappings: [], live }) : walksIn(model);
  const unlessRefused = (fate: FateKind, way: LinkInUse): FateKind =>
    fate === 'delivered' && boundaries ? (refusalOf(boundaries, way, asked) ?? fate) : fate;
  const direct = memoized((from, to) =>
    unlessRefused(overLink(from, to), { from, to, isMasqueraded: from.fabric.fullMasquerade }),
  );
  const onward = memoized((hub, to) =>
    unlessRefused(outOfHub(hub, to), { from: hub, to, isMasqueraded: true, isForwarded: true }),
  );
  const overLinks = (from: AddressedCluster, hub: AddressedCluster, to: AddressedCluster): FateKind => {
    const into = intoHub(from, hub);
    if (into !== 'delivered') return into;
    const { seenAs } = firstView(hub, to);
    const isLost = live?.lackingRoute(hub.name, to.name, 'to-node', seenAs) !== undefined;
    return isLost ? 'no-route' : onward(hub, to);
  };
  const mayOffload = mayOffloadIn(model);
  const throughHub = (from: AddressedCluster, hub: AddressedCluster, to: AddressedCluster): FateKind => {
    const fate = overLinks(from, hub, to);
    return fate === 'delivered' && !mayOffload(hub.name, to.name) ? 'needs-offloading' : fate;
  };
  const paths = pathsOf(model.links);
  const along = ({ from, linkTo, othersTo, keylessTo }: Ways, to: AddressedCluster): PairFate => {
    if (from.retired || to.retired) return pair(from, to, NO_WAY, 'retired');
    if (from === to) return pair(from, to, NO_WAY, 'self');
    const link = linkTo(to);
    let first: PairFate | undefined;
    if (link && carriesPackets(link)) {
      first = pair(from, to, { kind: 'direct', link }, direct(from, to));
      if (first.fate === 'delivered') return first;
    }
    for (const way of othersTo(to)) {
      const it = pair(from, to, way, throughHub(from, peerNamed(from, way.hub).cluster, to));
      if (it.fate === 'delivered') return it;
      if (first === undefined || isNearer(it, first)) first = it;
    }
    if (first) return first;
    const without = link ?? keylessTo(to);
    return pair(from, to, NO_WAY, without ? (without.isOff ? 'tunnel-down' : 'no-keys') : 'no-route', without);
  };
  const between = (from: AddressedCluster, to: AddressedCluster, via: Assertion['via'] = null): PairFate =>
    along(
      {
        from,
        linkTo: ({ name }) => (via === 'hub' ? undefined : from.peers.get(name)?.link),
        othersTo: ({ name }) => (via === 'shortcut' ? NO_WAYS : waysThrough(paths.between(from.name, name))),
        keylessTo: () => (via === 'shortcut' ? undefined : keylessBetween(from, to)),
      },
      to,
    );
  const isKeyed = once(() => model.links.every(carriesPackets));
  const from = (sender: AddressedCluster) => {
    const others = once(() => waysFrom(paths, sender.name));
    const near = once(() => (isKeyed() ? NO_CLUSTERS : twoLinksAway(sender)));
    const ways: Ways = {
      from: sender,
      linkTo: ({ name }) => sender.peers.get(name)?.link,
      othersTo: ({ name }) => others().get(name) ?? NO_WAYS,
      keylessTo: (to) => (near().has(to) ? keylessBetween(sender, to) : undefined),
    };
    return (to: AddressedCluster): PairFate => along(ways, to);
  };
  const delivering = (
    from: AddressedCluster,
    to: AddressedCluster,
    via: Assertion['via'] = null,
  ): readonly PairPath[] => {
    if (from.retired || to.retired || from === to) return NO_WAYS;
    const link = via === 'hub' ? undefined : from.peers.get(to.name)?.link;
    const isDirect = link !== undefined && carriesPackets(link) && direct(from, to) === 'delivered';
    const others = via === 'shortcut' ? NO_WAYS : waysThrough(paths.between(from.name, to.name));
    const found = others.filter((it) => throughHub(from, peerNamed(from, it.hub).cluster, to) === 'delivered');
    return isDirect ? [{ kind: 'direct', link }, ...found] : found;
  };
  const eachLink = (holds: (a: AddressedCluster, b: AddressedCluster) => boolean): boolean =>
    model.links.filter(carriesPackets).every(({ server, client }) => {
      const [a, b] = [clusterNamed(model, server.cluster.name), clusterNamed(model, client.cluster.name)];
      return holds(a, b) && holds(b, a);
    });
  const linksWork = once(() => eachLink((a, b) => overLinks(a, b, a) === 'delivered'));
  const linksDeliver = once(() => linksWork() && eachLink((a, b) => direct(a, b) === 'delivered'));
  return { between, delivering, from, overLink: direct, mayOffload, through: throughHub, linksWork, linksDeliver };
}

/** The fates on each link of packets that nothing refuses. */
const walksOf = (atRunTime: KnownAtRunTime) => ({
  overLink: memoized((from, to) => fateOverLink(from, to, { by: 'pod', source: representativePod(from) }, atRunTime)),
  intoHub: memoized((from, hub) => fateIntoHub(from, hub, atRunTime)),
  outOfHub: memoized((hub, to) => fateOverLink(hub, to, { by: 'node', source: unknownSource(hub) }, atRunTime)),
});

const walksIn = oncePer((_: TracedNetwork) => walksOf({ mappings: [] }));

/** Some connection, from any pod to any pod that no policy limits. */
const ANY_FLOW: AssertedFlow = { fromNamespace: null, toNamespace: null, protocol: null, port: null };

interface LinkInUse {
  readonly from: AddressedCluster;
  readonly to: AddressedCluster;
  readonly isMasqueraded: boolean;
  /** True when a hub forwards what another cluster sends. */
  readonly isForwarded?: boolean;
}

/**
 * The reason why all connections that are asked about are refused over a link; `null` when one passes. The representative pods of
 * both may be others than those that `boundaries` names.
 */
function refusalOf(boundaries: Boundaries, link: LinkInUse, asked: AssertedFlow): FateKind | null {
  const { from, to, isMasqueraded, isForwarded = false } = link;
  const fromNamespace = isForwarded ? null : asked.fromNamespace;
  const anyPods = { source: null, destination: null };
  const { refusedBy } = findFlow(boundaries, { ...asked, ...anyPods, from, to, isMasqueraded, fromNamespace });
  return refusedBy === null ? null : refusedBy === 'fence' ? 'refused' : 'refused-by-policy';
}

/** True for a path on which fences let in what the policy of a namespace refuses, instead of refusing it themselves. */
const isNearer = (path: PairFate, than: PairFate): boolean =>
  path.fate === 'refused-by-policy' && than.fate === 'refused';

/** The paths from one cluster to others. */
interface Ways {
  readonly from: AddressedCluster;
  /** The link of the two, with or without keys. */
  readonly linkTo: (to: AddressedCluster) => Link | undefined;
  /** Paths through each cluster with working links to both, in order of name. */
  readonly othersTo: (to: AddressedCluster) => readonly Through[];
  /** A link without keys on a path through another cluster, when every such path contains one. */
  readonly keylessTo: (to: AddressedCluster) => Link | undefined;
}

// Object spreads take several times as long, and a fleet of 1,000 links has a million pairs.
const pair = (
  from: AddressedCluster,
  to: AddressedCluster,
  way: PairPath,
  fate: FateKind,
  keyless?: Link,
): PairFate => ({
  from: from.name,
  to: to.name,
  way,
  fate,
  keyless: keyless ?? null,
});

const NO_WAY: PairPath = { kind: 'none' };

const NO_WAYS: readonly Through[] = [];

const NO_CLUSTERS: ReadonlySet<AddressedCluster> = new Set();

const waysThrough = (hubs: readonly string[]): readonly Through[] =>
  hubs.map((hub) => ({ kind: 'through', hub, hubs }));

/**
 * The paths from one cluster through other clusters to all receivers; receivers behind the same single hub share one
 * list.
 */
function waysFrom({ linkedWith }: Paths, sender: string): ReadonlyMap<string, readonly Through[]> {
  const several = new Map<string, string[]>();
  const found = new Map<string, readonly Through[]>();
  for (const hub of linkedWith(sender)) {
    const alone = waysThrough([hub]);
    for (const name of linkedWith(hub)) {
      if (name === sender) continue;
      const [before] = found.get(name) ?? [];
      if (before === undefined) found.set(name, alone);
      else if (!several.get(name)?.push(hub)) several.set(name, [before.hub, hub]);
    }
  }
  for (const [name, hubs] of several) found.set(name, waysThrough(hubs));
  return found;
}

/** The clusters with a link to a peer of this cluster, with or without keys. */
function twoLinksAway({ peers }: AddressedCluster): ReadonlySet<AddressedCluster> {
  const found = new Set<AddressedCluster>();
  for (const { cluster } of peers.values()) for (const far of cluster.peers.values()) found.add(far.cluster);
  return found;
}

/**
 * The first link without keys on the path through the first cluster between two clusters; for two clusters whose paths
 * all contain one.
 */
function keylessBetween(from: AddressedCluster, to: AddressedCluster): Link | undefined {
  const [hub] = clustersBetween(from, to);
  if (hub === undefined) return undefined;
  const [ahead, onward] = [peerNamed(from, hub).link, peerNamed(to, hub).link];
  return carriesPackets(ahead) ? onward : ahead;
}

export const peerNamed = (cluster: AddressedCluster, name: string): Peer =>
  cluster.peers.get(name) ?? bug(`"${cluster.name}" has no link to "${name}"`);

/** The fate of a packet from a pod to an address in the hub's external CIDR, as if it were mapped to a pod. */
function fateIntoHub(from: AddressedCluster, hub: AddressedCluster, atRunTime: KnownAtRunTime): FateKind {
  const peer = peerNamed(from, hub.name);
  const { end } = walkThere({
    cluster: from,
    by: 'pod',
    packet: { source: known(representativePod(from)), destination: allocatedIn(peer.externalView.seenAs) },
    ...atRunTime,
  });
  return lostBy(end) ?? (end.cluster === hub ? 'delivered' : 'no-route');
}

interface PairSender {
  readonly by: 'pod' | 'node';
  readonly source: number;
}

/** The fate of a packet from one cluster to the representative pod of another, over the link of the two. */
function fateOverLink(
  from: AddressedCluster,
  to: AddressedCluster,
  { by, source }: PairSender,
  atRunTime: KnownAtRunTime,
): FateKind {
  const destination = known(moveHost(representativePod(to), firstView(from, to).seenAs));
  const { end } = walkThere({ cluster: from, by, packet: { source: known(source), destination }, ...atRunTime });
  return end.how.kind === 'in-pod' ? 'delivered' : (lostBy(end) ?? 'no-route');
}

/** The fate of a packet that is lost on its way; `null` for any other end. */
function lostBy({ how }: ReturnType<typeof walkThere>['end']): FateKind | null {
  switch (how.kind) {
    case 'unanswerable':
      return 'no-return';
    case 'in-several-networks':
      return 'ambiguous';
    case 'without-route':
      return how.isOfAnswer ? 'no-return' : 'no-route';
    default:
      return null;
  }
}

const firstView = (from: AddressedCluster, to: AddressedCluster): View =>
  peerNamed(from, to.name).podViews[0] ?? bug(`"${from.name}" has no view of "${to.name}"`);

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

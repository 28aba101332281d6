import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { readPrintedPrefix } from '../../base/net/text.ts';
import { allocatorTraits } from '../../base/releases/allocators.ts';
import type { Located } from '../../base/source/source.ts';
import { type Decisions, decisionAbout } from '../lock/lock.ts';
import type { Cluster } from '../model/network-model.ts';
import type { Peer, View } from './addressed-model.ts';
import type { Allocator } from './allocators/allocator.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { displacedByLeavers, networksHandedOver, refusedViews, viewKeptTwice, viewMoved } from './view-diagnostics.ts';
import { type Announcement, type LeavingView, requestsOf, type ViewRequest } from './view-request.ts';

interface AssignedViews {
  /** In apply order. */
  readonly peers: readonly Peer[];
  readonly found: readonly Diagnostic[];
}

interface ViewsRequest {
  readonly cluster: Cluster;
  readonly announcements: readonly Announcement[];
  readonly leaving: readonly LeavingView[];
  readonly own: OwnAddresses;
  /** Creates an IPAM in the state after the cluster's own reservations, for the replay. */
  readonly freshIpam: () => Allocator;
  readonly decisions: Decisions;
}

type Seen = Map<ViewRequest, Prefix>;

/**
 * A cluster's views of all its peers. Views of the lock stay, and views of peers that leave in this compile are still
 * taken. The others are assigned as in a rollout: first the links that need no remap, which may be applied in any
 * order, then the others one by one in join order.
 */
export function assignViews({
  cluster,
  announcements,
  leaving,
  own,
  freshIpam,
  decisions,
}: ViewsRequest): AssignedViews {
  const found: Diagnostic[] = [];
  const links = announcements.map(requestsOf);
  const seen: Seen = new Map();
  keepViews(cluster, links, own, decisions, seen, found);
  const [removed, changed] = [leaving.filter((it) => it.withLink), leaving.filter((it) => !it.withLink)];
  // When a view cannot be reserved, the cluster itself or a kept view uses its addresses.
  for (const it of removed) own.ipam.reserve(it.seenAs.value, false);
  const isFresh = seen.size === 0 && removed.length === 0;
  // A link with a remapped network is applied in join order, regardless of its other requests.
  const open = links
    .map((all) => ({ inTurn: needsRemap(all, seen), requests: all.filter((it) => !seen.has(it)) }))
    .filter((it) => it.requests.length > 0);
  const failed = acquireInTurn(open, own.ipam, seen);
  const refused = refusedViews(cluster, failed, own.ipam, removed);
  const requested = open.flatMap((it) => it.requests);
  const displaced = displacedByLeavers(requested, seen, removed);
  const handedOver = networksHandedOver(requested, seen, changed);
  const replayed = isFresh || staysInAnyOrder(cluster, links, seen) ? seen : replay(links, seen, freshIpam());
  const seenLinks = links.map((requests) => ({ requests, remapped: needsRemap(requests, seen) }));
  const contended = contendedLinks(seenLinks, freshIpam);
  const peers = seenLinks.map((it) => peerOf(cluster, it, contended.has(it), seen, replayed));
  const inApplyOrder = [...peers.filter((it) => !it.remapped), ...peers.filter((it) => it.remapped)];
  return { peers: inApplyOrder, found: [...found, ...refused, ...displaced, ...handedOver] };
}

function keepViews(
  cluster: Cluster,
  links: readonly (readonly ViewRequest[])[],
  own: OwnAddresses,
  decisions: Decisions,
  seen: Seen,
  found: Diagnostic[],
): void {
  if (decisions.size === 0) return;
  const placed = new OverlapIndex<{ readonly request: ViewRequest; readonly kept: Located<Prefix> }>();
  for (const request of links.flat()) {
    const kept = keptView(cluster, request, decisions);
    if (!kept) continue;
    const given = kept.value.length === request.cidr.length ? own.ipam.reserve(kept.value, false) : undefined;
    if (given?.ok) {
      placed.add(kept.value, { request, kept });
      seen.set(request, kept.value);
      continue;
    }
    const other = placed.first(kept.value);
    found.push(
      other ? viewKeptTwice(cluster, request, kept, other.request, other.kept) : viewMoved(cluster, request, kept, own),
    );
  }
}

function keptView(
  cluster: Cluster,
  { announcement, kind, cidr }: ViewRequest,
  decisions: Decisions,
): Located<Prefix> | undefined {
  const link = announcement.link.id;
  const kept = decisionAbout<string>(decisions, { kind: 'view', link, viewer: cluster.name, role: kind, cidr });
  const value = kept && readPrintedPrefix(String(kept.value));
  return value && { value, at: kept.at };
}

/**
 * Takes the networks of links as in a rollout, and returns the requests that are refused: first those of links that need
 * no remap, unless they are applied in turn, then the others one by one.
 */
export function acquireInTurn<Request extends Pick<ViewRequest, 'cidr'>>(
  links: readonly { readonly inTurn: boolean; readonly requests: readonly Request[] }[],
  ipam: Allocator,
  seen: Map<Request, Prefix>,
): readonly Request[] {
  const remapped = links.filter(({ inTurn, requests }) => inTurn || !takeUnremapped(requests, ipam, seen));
  return remapped.flatMap(({ requests }) => requests.filter((it) => !acquire(it, ipam, seen)));
}

/** Takes all requests of a link without a remap, or none of them. */
function takeUnremapped<Request extends Pick<ViewRequest, 'cidr'>>(
  requests: readonly Request[],
  ipam: Allocator,
  seen: Map<Request, Prefix>,
): boolean {
  if (!requests.every((it) => ipam.fits(it.cidr))) return false;
  const taken: Prefix[] = [];
  for (const it of requests) {
    const given = ipam.acquire(it.cidr);
    if (!given.ok || !samePrefix(given.prefix, it.cidr)) {
      // A whole pool is moved although it is free, or two CIDRs of one peer overlap: free what was taken, and remap the link.
      for (const prefix of given.ok ? [...taken, given.prefix] : taken) ipam.release(prefix);
      return false;
    }
    taken.push(given.prefix);
  }
  for (const it of requests) seen.set(it, it.cidr);
  return true;
}

function acquire<Request extends Pick<ViewRequest, 'cidr'>>(
  request: Request,
  ipam: Allocator,
  seen: Map<Request, Prefix>,
): boolean {
  const given = ipam.acquire(request.cidr);
  if (given.ok) seen.set(request, given.prefix);
  return given.ok;
}

/**
 * True when every peer keeps its own networks. They are all free at the same time, so that each rollout assigns them
 * again, if the allocator has one place for each network and does not move a free one.
 */
function staysInAnyOrder(cluster: Cluster, links: readonly (readonly ViewRequest[])[], seen: Seen): boolean {
  const { movesFreeNetworks, takesOverlappingPools } = allocatorTraits(cluster.allocator);
  if (movesFreeNetworks || takesOverlappingPools) return false;
  return links.every((requests) => requests.every((it) => seen.has(it)) && !needsRemap(requests, seen));
}

/**
 * The views that a fresh rollout of this bundle would assign: links without a remap first, then the others in join
 * order.
 */
function replay(links: readonly (readonly ViewRequest[])[], seen: Seen, ipam: Allocator): Seen {
  const again: Seen = new Map();
  const free = links.filter((requests) => !needsRemap(requests, seen));
  const ordered = links.filter((requests) => needsRemap(requests, seen));
  for (const request of [...free, ...ordered].flat()) acquire(request, ipam, again);
  return again;
}

const needsRemap = (requests: readonly ViewRequest[], seen: Seen): boolean =>
  requests.some((it) => !samePrefix(seen.get(it) ?? it.cidr, it.cidr));

function peerOf(
  cluster: Cluster,
  { requests, remapped }: SeenLink,
  orderDependent: boolean,
  seen: Seen,
  replayed: Seen,
): Peer {
  const [first] = requests;
  if (first === undefined) return bug(`a peer of "${cluster.name}" that announces nothing`);
  const { link, peer } = first.announcement;
  const viewOf = (it: ViewRequest): View => {
    const seenAs = seen.get(it) ?? it.cidr;
    const again = replayed.get(it);
    // A rebuild may also have no room for it.
    const history = seen.has(it) && (again === undefined || !samePrefix(again, seenAs));
    return { cidr: it.cidr, seenAs, history };
  };
  const views = requests.map(viewOf);
  return {
    name: peer.name,
    cluster: peer,
    link,
    role: link.server.cluster.name === cluster.name ? 'server' : 'client',
    podViews: views.slice(0, -1),
    externalView: views.at(-1) ?? viewOf(first),
    remapped,
    orderDependent,
  };
}

/** The requests of a link, and the cluster's view of them. */
interface SeenLink {
  readonly requests: readonly ViewRequest[];
  /** True when some requested network is remapped. */
  readonly remapped: boolean;
}

/** Largest number of links for which every order is tried, which is 120 orders. */
const MOST_TRIED = 5;

/** Largest number of layers that are looked for, with four orders each. */
const MOST_LAYERS = 6;

/**
 * The links whose views depend on the order in which the cluster's Configurations are applied, by any tool:
 * one remapped link may get the network that another link keeps only because it comes first. Each of them has another
 * view in an order that was tried. With many links, those that lose their networks to remapped links are found layer by layer;
 * that misses almost none.
 *
 * @param fresh creates an IPAM in the state after the cluster's own reservations.
 */
function contendedLinks<T extends SeenLink>(links: readonly T[], fresh: () => Allocator): ReadonlySet<T> {
  const remapped = links.filter((it) => it.remapped);
  const found = new Set<T>();
  if (remapped.length === 0 || links.length < 2) return found;
  const free = links.filter((it) => !it.remapped);
  const [ipam, applied] = [fresh(), [...free, ...remapped]];
  const answers = answersTo(applied, ipam);
  const layers = links.length > MOST_TRIED ? MOST_LAYERS : 1;
  for (let i = 0, before = -1; i < layers && before < found.size && found.size < links.length; i++) {
    before = found.size;
    for (const order of layers > 1 ? ordersOfLayer(i, free, remapped, found) : ordersOf(applied)) {
      const others = answersTo(order, ipam);
      for (const it of links) if (!areSame(others.get(it), answers.get(it))) found.add(it);
    }
  }
  return found;
}

/**
 * Remapped links before the free ones that were not found yet: the remapped ones get other networks if those found before
 * hold theirs. The last order begins in the middle, so that some of the free ones come after the remapped ones.
 */
function ordersOfLayer<T>(
  layer: number,
  free: readonly T[],
  remapped: readonly T[],
  found: ReadonlySet<T>,
): readonly (readonly T[])[] {
  const [held, rest] = [free.filter((it) => found.has(it)), free.filter((it) => !found.has(it))];
  const all = [...free, ...remapped];
  const middle = Math.ceil(all.length / 2) + layer;
  return [
    [...held, ...remapped, ...rest],
    [...held, ...remapped.toReversed(), ...rest],
    [...remapped.toReversed(), ...held.toReversed(), ...rest.toReversed()],
    [...all.slice(middle), ...all.slice(0, middle)],
  ];
}

/** One network for each request; `null` when the IPAM has none for it. */
type Answers = readonly (Prefix | null)[];

const acquireAll = ({ requests }: SeenLink, ipam: Allocator): Answers =>
  requests.map((it) => {
    const given = ipam.acquire(it.cidr);
    return given.ok ? given.prefix : null;
  });

/** The networks that the links get in this order. The IPAM is restored afterwards. */
function answersTo<T extends SeenLink>(order: readonly T[], ipam: Allocator): ReadonlyMap<T, Answers> {
  const answers = new Map(order.map((it) => [it, acquireAll(it, ipam)]));
  for (const it of [...answers.values()].flat()) if (it !== null) ipam.release(it);
  return answers;
}

const areSame = (a: Answers = [], b: Answers = []): boolean =>
  a.every((it, i) => {
    const other = b[i] ?? null;
    return it === null || other === null ? it === other : samePrefix(it, other);
  });

function* ordersOf<T>(items: readonly T[]): Iterable<readonly T[]> {
  if (items.length === 0) yield [];
  for (const first of items) for (const it of ordersOf(items.filter((other) => other !== first))) yield [first, ...it];
}

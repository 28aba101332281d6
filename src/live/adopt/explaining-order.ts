import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { forwardOrder } from './forward-order.ts';
import { mergeChains } from './merge-chains.ts';
import {
  giveBack,
  type MissedView,
  missedAmong,
  type RemappedEnd,
  replayViewer,
  takeEnd,
  type Viewer,
} from './viewer.ts';

/** Up to this number of remapped peers, all orders are tried: 5,040. */
export const MOST_EXACT = 7;

interface ExactOrder {
  readonly order: readonly RemappedEnd[];
  /** The number of views that a rollout in this order changes. No order changes fewer. */
  readonly missed: number;
}

/** Returns the first order of these peers in which a rollout of their cluster alone changes the fewest views. */
export function exactOrder({ freshIpam }: Pick<Viewer, 'freshIpam'>, ends: readonly RemappedEnd[]): ExactOrder {
  const search: ViewerSearch = { ipam: freshIpam(), best: { order: ends, missed: Number.POSITIVE_INFINITY } };
  followViewer(search, [], ends, 0);
  return search.best;
}

interface ViewerSearch {
  readonly ipam: Allocator;
  best: ExactOrder;
}

function followViewer(
  search: ViewerSearch,
  before: readonly RemappedEnd[],
  left: readonly RemappedEnd[],
  missed: number,
): void {
  if (missed >= search.best.missed) return;
  if (left.length === 0) {
    search.best = { order: before, missed };
    return;
  }
  for (const end of left) {
    const given = takeEnd(end, search.ipam);
    const lost = missedAmong(end, given).length;
    followViewer(
      search,
      [...before, end],
      left.filter((it) => it !== end),
      missed + lost,
    );
    giveBack(given, search.ipam);
    if (search.best.missed === 0) return;
  }
}

/** Up to this number of links with a remapped end, all their orders are tried. */
const MOST_LINKS_IN_ANY_ORDER = 7;

interface AskedAt {
  readonly end: RemappedEnd;
  readonly ipam: Allocator;
}

/**
 * Returns the first order of all links in which a rollout changes the fewest views of the whole fleet: the best orders
 * of single clusters may contradict each other. `undefined` for a fleet with more links.
 */
function exactFleetOrder(
  viewers: ReadonlyMap<string, Viewer>,
  reference: readonly Link[],
): readonly Link[] | undefined {
  const endsOf = endsByLink(viewers);
  if (endsOf.size > MOST_LINKS_IN_ANY_ORDER) return undefined;
  let best: { readonly order: readonly Link[]; readonly missed: number } = {
    order: [],
    missed: Number.POSITIVE_INFINITY,
  };
  const follow = (before: readonly Link[], left: readonly Link[], missed: number): void => {
    if (missed >= best.missed) return;
    if (left.length === 0) best = { order: before, missed };
    for (const link of left) {
      const taken = (endsOf.get(link) ?? []).map((it) => ({ ...it, given: takeEnd(it.end, it.ipam) }));
      const lost = taken.reduce((sum, it) => sum + missedAmong(it.end, it.given).length, 0);
      follow(
        [...before, link],
        left.filter((it) => it !== link),
        missed + lost,
      );
      for (const it of taken) giveBack(it.given, it.ipam);
    }
  };
  follow(
    [],
    reference.filter((it) => endsOf.has(it)),
    0,
  );
  return [...best.order, ...reference.filter((it) => !endsOf.has(it))];
}

function endsByLink(viewers: ReadonlyMap<string, Viewer>): ReadonlyMap<Link, readonly AskedAt[]> {
  const ends = new Map<Link, AskedAt[]>();
  for (const { remapped, freshIpam } of viewers.values()) {
    const ipam = freshIpam();
    for (const end of remapped) ends.set(end.link, [...(ends.get(end.link) ?? []), { end, ipam }]);
  }
  return ends;
}

/** The most links with a remapped end: above it, there are too many sets of earlier links. */
const MOST_REMAPPED_LINKS = 32;

/** The most sets of links that are tried. */
const MOST_SETS = 4000;

/**
 * Returns the first order in which a rollout reproduces all views exactly; `undefined` when there is none, or none was
 * found within the limits. The possible next links depend only on the set of earlier links, so each set is tried once.
 */
function perfectOrder(viewers: ReadonlyMap<string, Viewer>, reference: readonly Link[]): readonly Link[] | undefined {
  const ends = new Map<Link, RolloutEnd[]>(reference.map((it) => [it, []]));
  for (const it of viewers.values()) {
    const ipam = it.freshIpam();
    for (const end of it.remapped) ends.get(end.link)?.push({ end, ipam });
  }
  const links = reference.filter((it) => (ends.get(it) ?? []).length > 0);
  if (links.length > MOST_REMAPPED_LINKS) return undefined;
  const order: number[] = [];
  const search: PerfectSearch = { links: links.map((it) => ends.get(it) ?? []), dead: new Set(), order };
  if (!followPerfect(search, 0)) return undefined;
  const free = reference.filter((it) => (ends.get(it) ?? []).length === 0);
  return [...free, ...order.flatMap((it) => links[it] ?? [])];
}

interface RolloutEnd {
  readonly end: RemappedEnd;
  readonly ipam: Allocator;
}

interface PerfectSearch {
  readonly links: readonly (readonly RolloutEnd[])[];
  /** Sets of links that no order completes, with one bit per link. */
  readonly dead: Set<number>;
  readonly order: number[];
}

function followPerfect(search: PerfectSearch, placed: number): boolean {
  const { links, dead, order } = search;
  if (order.length === links.length) return true;
  if (dead.has(placed) || dead.size > MOST_SETS) return false;
  for (const [index, ends] of links.entries()) {
    const bit = 2 ** index;
    if (Math.floor(placed / bit) % 2 === 1) continue;
    const given = ends.map(({ end, ipam }) => takeEnd(end, ipam));
    if (ends.every(({ end }, i) => missedAmong(end, given[i] ?? []).length === 0)) {
      order.push(index);
      if (followPerfect(search, placed + bit)) return true;
      order.pop();
    }
    for (const [i, { ipam }] of ends.entries()) giveBack(given[i] ?? [], ipam);
  }
  dead.add(placed);
  return false;
}

/** An order of joining, with the views that a rollout in this order would change. */
export interface Explanation {
  readonly order: readonly Link[];
  readonly missed: readonly MissedView[];
}

/**
 * Returns an order in which a rollout of the fleet reproduces as many views as possible. The first reference wins a
 * tie; references are likely orders of all links.
 */
export function explainingOrder(
  viewers: ReadonlyMap<string, Viewer>,
  references: readonly (readonly Link[])[],
): Explanation {
  const [first = [], ...others] = references;
  let best = explainedBy(viewers, first);
  const offer = (order: readonly Link[]): void => {
    const offered = best.missed.length === 0 ? best : explainedBy(viewers, order);
    if (offered.missed.length < best.missed.length) best = offered;
  };
  for (const it of others) offer(it);
  for (const it of references) if (best.missed.length > 0) offer(forwardOrder(viewers, it));
  if (best.missed.length === 0) return best;
  const perfect = perfectOrder(viewers, best.order);
  if (perfect !== undefined) return explainedBy(viewers, perfect);
  const ofFleet = exactFleetOrder(viewers, best.order);
  if (ofFleet !== undefined) {
    offer(ofFleet);
    return best;
  }
  const exact = mergeChains(exactChains(viewers, best), best.order);
  offer(exact);
  if (best.missed.length > 0) offer(forwardOrder(viewers, exact));
  return best;
}

export function explainedBy(viewers: ReadonlyMap<string, Viewer>, order: readonly Link[]): Explanation {
  const inOrder = comparedBy(order);
  return { order, missed: [...viewers.values()].flatMap((it) => replayViewer(it, [...it.remapped].sort(inOrder))) };
}

/** Returns the best order of each small cluster alone; for the others, the best order so far. */
function exactChains(viewers: ReadonlyMap<string, Viewer>, { order, missed }: Explanation): readonly Link[][] {
  const inOrder = comparedBy(order);
  const broken = new Set(missed.map((it) => it.end.viewer));
  return [...viewers.values()].map((it) => {
    const ends = [...it.remapped].sort(inOrder);
    const isOpen = broken.has(it.cluster.name) && ends.length <= MOST_EXACT;
    return (isOpen ? exactOrder(it, ends).order : ends).map((end) => end.link);
  });
}

function comparedBy(order: readonly Link[]): (a: RemappedEnd, b: RemappedEnd) => number {
  const place = new Map(order.map((it, index) => [it, index]));
  return (a, b) => (place.get(a.link) ?? 0) - (place.get(b.link) ?? 0);
}

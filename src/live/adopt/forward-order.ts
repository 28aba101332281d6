import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { MinHeap } from './merge-chains.ts';
import { giveBack, isRemap, type MissedView, missedAmong, type RemappedEnd, takeEnd, type Viewer } from './viewer.ts';

/** The most links that are compared when every next link would lose a view. */
const MOST_COMPARED = 48;

/**
 * Returns an order of links in which a rollout assigns every cluster the networks that it has, if there is one. All
 * clusters are rolled out together; the next link is one whose two ends get their networks or, if there is none, the
 * one that loses the fewest views. Ties follow the reference. An IPAM's answer depends on the set of taken networks,
 * not on their order, so per cluster and prefix length at most one peer can be next: there is rarely a choice, and each
 * link needs few requests.
 */
export function forwardOrder(viewers: ReadonlyMap<string, Viewer>, reference: readonly Link[]): readonly Link[] {
  const rank = new Map(reference.map((it, index) => [it, index]));
  const inReference = (a: RemappedEnd, b: RemappedEnd): number => (rank.get(a.link) ?? 0) - (rank.get(b.link) ?? 0);
  const rollouts = new Map(
    [...viewers].map(([name, it]) => [name, new RolloutAt(it, [...it.remapped].sort(inReference))]),
  );
  const rolloutsOf = rolloutsBy(viewers, rollouts);
  const left = new Set(reference);
  const candidates = new MinHeap();
  const isReady = (link: Link): boolean => rolloutsOf(link).every((it) => it.ready.has(link));
  const addReady = (at: RolloutAt): void => {
    for (const it of at.ready) if (left.has(it) && isReady(it)) candidates.add(rank.get(it) ?? 0);
  };
  for (const it of rollouts.values()) addReady(it);
  // Links without a remapped end have no effect on the order.
  const order = reference.filter((it) => rolloutsOf(it).length === 0);
  for (const it of order) left.delete(it);
  while (left.size > 0) {
    const at = candidates.take();
    const ready = at === undefined ? undefined : reference[at];
    if (ready !== undefined && !(left.has(ready) && isReady(ready))) continue;
    const next = ready ?? leastCostly(left, rolloutsOf, rank);
    if (next === undefined) break;
    left.delete(next);
    order.push(next);
    for (const it of rolloutsOf(next)) it.take(next);
    for (const it of rolloutsOf(next)) addReady(it);
  }
  return order;
}

type RolloutsOf = (link: Link) => readonly RolloutAt[];

function rolloutsBy(viewers: ReadonlyMap<string, Viewer>, rollouts: ReadonlyMap<string, RolloutAt>): RolloutsOf {
  const byLink = new Map<Link, RolloutAt[]>();
  for (const [name, { remapped }] of viewers) {
    const rollout = rollouts.get(name);
    for (const { link } of rollout === undefined ? [] : remapped) {
      const known = byLink.get(link) ?? [];
      if (rollout !== undefined) byLink.set(link, [...known, rollout]);
    }
  }
  return (link) => byLink.get(link) ?? [];
}

function leastCostly(
  left: ReadonlySet<Link>,
  rolloutsOf: RolloutsOf,
  rank: ReadonlyMap<Link, number>,
): Link | undefined {
  const suspects = new Set<Link>();
  const compared = new Set<Link>();
  for (const it of left) {
    compared.add(it);
    for (const at of rolloutsOf(it)) for (const one of at.suspects()) if (left.has(one)) suspects.add(one);
    if (compared.size + suspects.size >= MOST_COMPARED) break;
  }
  const costOf = (link: Link): number => rolloutsOf(link).reduce((sum, it) => sum + it.costOf(link), 0);
  // On equal costs, suspects come first.
  const costs = [...new Set([...suspects, ...compared])].map((link) => ({ link, cost: costOf(link) }));
  const [least] = costs.sort(
    (a, b) =>
      a.cost - b.cost ||
      Number(suspects.has(b.link)) - Number(suspects.has(a.link)) ||
      (rank.get(a.link) ?? 0) - (rank.get(b.link) ?? 0),
  );
  return least?.link;
}

/** The number of next peers in the reference order that are tried first. */
const FEW = 4;

/** The number that is tried when none of these fits, and no peer that the allocator points at. */
const MANY = 48;

/** The most requests that are made to find the next network of the allocator. */
const MOST_ASKED = 8;

/** A cluster during a rollout: finds the peers that can be next so that each gets the networks that it has. */
class RolloutAt {
  readonly #ipam: Allocator;
  /** In the reference order. */
  readonly #ends: readonly RemappedEnd[];
  readonly #byLink: ReadonlyMap<Link, RemappedEnd>;
  /** By the first network that is not the peer's own. The allocator assigns at most one of these next. */
  readonly #holders = new Map<number, RemappedEnd>();
  readonly #byLength = new Map<number, Queue>();
  readonly #placed = new Set<RemappedEnd>();
  readonly #queue: Queue;
  /** In the order in which the allocator would assign their networks without other requests. */
  #slots: RemappedEnd[] | undefined;
  #ready: ReadonlySet<Link> = new Set();

  constructor(viewer: Viewer, ends: readonly RemappedEnd[]) {
    this.#ipam = viewer.freshIpam();
    this.#ends = ends;
    this.#byLink = new Map(ends.map((it) => [it.link, it]));
    this.#queue = { ends, from: 0 };
    const byLength = new Map<number, RemappedEnd[]>();
    for (const it of ends) {
      const first = it.views.find(isRemap);
      if (first === undefined) continue;
      this.#holders.set(prefixKey(first.seenAs), it);
      const same = byLength.get(first.cidr.length);
      if (same === undefined) byLength.set(first.cidr.length, [it]);
      else same.push(it);
    }
    for (const [length, same] of byLength) this.#byLength.set(length, { ends: same, from: 0 });
    this.#look();
  }

  /** The links that would get exactly their networks if they were next. */
  get ready(): ReadonlySet<Link> {
    return this.#ready;
  }

  take(link: Link): void {
    const end = this.#byLink.get(link);
    if (end === undefined) return;
    takeEnd(end, this.#ipam);
    this.#placed.add(end);
    this.#look();
  }

  /** The number of views that are lost if a link is next: its own, and those whose networks it takes. */
  costOf(link: Link): number {
    const end = this.#byLink.get(link);
    if (end === undefined) return 0;
    const missed = this.#try(end);
    const stolen = missed.filter(({ again }) => {
      const holder = again === null ? undefined : this.#holders.get(prefixKey(again));
      return holder !== undefined && holder !== end && !this.#placed.has(holder);
    });
    return missed.length + stolen.length;
  }

  /** Candidates when no link is ready: those that the allocator points at, and the one whose network comes last. */
  *suspects(): Iterable<Link> {
    for (const it of this.#pointedAt()) yield it.link;
    this.#slots ??= this.#inOrderOfSlots();
    while (this.#slots.length > 0 && this.#isPlaced(this.#slots, this.#slots.length - 1)) this.#slots.pop();
    const last = this.#slots.at(-1);
    if (last !== undefined) yield last.link;
  }

  #look(): void {
    const likely = new Set([...this.#next(this.#queue, FEW), ...this.#pointedAt()]);
    const ready = [...likely].filter((it) => this.#try(it).length === 0);
    const found = ready.length > 0 ? ready : this.#firstThatFits(likely);
    this.#ready = new Set(found.map((it) => it.link));
  }

  #firstThatFits(tried: ReadonlySet<RemappedEnd>): readonly RemappedEnd[] {
    const found = this.#next(this.#queue, MANY).find((it) => !tried.has(it) && this.#try(it).length === 0);
    return found === undefined ? [] : [found];
  }

  #try(end: RemappedEnd): readonly MissedView[] {
    const given = takeEnd(end, this.#ipam);
    giveBack(given, this.#ipam);
    return missedAmong(end, given);
  }

  #pointedAt(): readonly RemappedEnd[] {
    return [...this.#byLength.values()].flatMap((queue) => {
      const next = this.#nextNetwork(queue);
      const holder = next === undefined ? undefined : this.#holders.get(prefixKey(next));
      return holder === undefined || this.#placed.has(holder) ? [] : [holder];
    });
  }

  /** The next network of the allocator for a request of that length whose own network is taken. */
  #nextNetwork(queue: Queue): Prefix | undefined {
    for (const it of this.#next(queue, MOST_ASKED)) {
      const cidr = it.views.find(isRemap)?.cidr;
      const given = cidr && this.#ipam.acquire(cidr);
      if (!given?.ok) continue;
      this.#ipam.release(given.prefix);
      if (cidr !== undefined && !samePrefix(given.prefix, cidr)) return given.prefix;
    }
    return undefined;
  }

  /** The first ends that are not placed. */
  #next(queue: Queue, most: number): readonly RemappedEnd[] {
    while (queue.from < queue.ends.length && this.#isPlaced(queue.ends, queue.from)) queue.from++;
    const found: RemappedEnd[] = [];
    for (let at = queue.from; at < queue.ends.length && found.length < most && at < queue.from + 4 * MANY; at++) {
      const end = queue.ends[at];
      if (end !== undefined && !this.#placed.has(end)) found.push(end);
    }
    return found;
  }

  #isPlaced(ends: readonly RemappedEnd[], at: number): boolean {
    const end = ends[at];
    return end === undefined || this.#placed.has(end);
  }

  #inOrderOfSlots(): RemappedEnd[] {
    const found: RemappedEnd[] = [];
    const taken: Prefix[] = [];
    for (const queue of this.#byLength.values()) {
      const [asker] = this.#next(queue, 1);
      const cidr = asker?.views.find(isRemap)?.cidr;
      for (let left = 2 * queue.ends.length; cidr !== undefined && left > 0; left--) {
        const given = this.#ipam.acquire(cidr);
        if (!given.ok) break;
        taken.push(given.prefix);
        const holder = this.#holders.get(prefixKey(given.prefix));
        if (holder !== undefined) found.push(holder);
      }
    }
    giveBack(taken, this.#ipam);
    const reached = new Set(found);
    return [...found, ...this.#ends.filter((it) => !reached.has(it))];
  }
}

interface Queue {
  readonly ends: readonly RemappedEnd[];
  /** All ends before this index are placed. */
  from: number;
}

/** A unique key below 2 to the power of 38, so the number is exact. */
export const prefixKey = ({ base, length }: Prefix): number => base * 64 + length;

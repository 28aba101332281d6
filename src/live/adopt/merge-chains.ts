import { byCodeUnit, groupBy, largest } from '../../base/core/collections.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import type { LiveView } from './live-network.ts';
import type { Viewer } from './viewer.ts';

/** The most links that are compared when the chains contradict each other. */
const MOST_COMPARED = 64;

/**
 * Merges chains of links into one order. Each chain keeps its order; the rest follows the reference. When chains
 * contradict each other, the next link is the one that the fewest chains place later.
 */
export function mergeChains(chains: readonly (readonly Link[])[], reference: readonly Link[]): readonly Link[] {
  const rank = new Map(reference.map((it, index) => [it, index]));
  const after = new Map<Link, Link[]>();
  const waitsFor = new Map(reference.map((it) => [it, 0]));
  for (const chain of chains) {
    for (const [index, link] of chain.entries()) {
      const before = chain[index - 1];
      if (before === undefined) continue;
      const followers = after.get(before) ?? [];
      followers.push(link);
      after.set(before, followers);
      waitsFor.set(link, (waitsFor.get(link) ?? 0) + 1);
    }
  }
  const ready = new MinHeap();
  for (const [link, count] of waitsFor) if (count === 0) ready.add(rank.get(link) ?? 0);
  const left = new Set(reference);
  const order: Link[] = [];
  while (left.size > 0) {
    const next = reference[ready.take() ?? -1] ?? leastWaiting(left, waitsFor);
    if (next === undefined || !left.delete(next)) continue;
    order.push(next);
    for (const it of after.get(next) ?? []) {
      const count = (waitsFor.get(it) ?? 0) - 1;
      waitsFor.set(it, count);
      if (count === 0) ready.add(rank.get(it) ?? 0);
    }
  }
  return order;
}

function leastWaiting(left: ReadonlySet<Link>, waitsFor: ReadonlyMap<Link, number>): Link | undefined {
  let [least, fewest]: [Link | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  let compared = 0;
  for (const it of left) {
    const count = waitsFor.get(it) ?? 0;
    if (count < fewest) [least, fewest] = [it, count];
    if (++compared === MOST_COMPARED) break;
  }
  return least;
}

/**
 * Orders links by the time at which their views were assigned, as far as the API servers recorded it. Each cluster is a
 * separate chain, because versions of two API servers are not comparable. A peer with its own network comes before
 * others that requested the same one. The rest follows the reference.
 */
export function orderOfHints(
  viewers: ReadonlyMap<string, Viewer>,
  views: readonly LiveView[],
  reference: readonly Link[],
): readonly Link[] {
  const given = groupBy(views, (it) => [viewerPair(it.viewer, it.peer)]);
  const chains = [...viewers.values()].map(({ cluster, remapped }) =>
    remapped
      .flatMap(({ link, peer }) => {
        const last = lastOf(given.get(viewerPair(cluster.name, peer.name)) ?? []);
        return last === undefined ? [] : [{ link, ...last }];
      })
      .sort((a, b) => byCodeUnit(a.created, b.created) || a.version - b.version)
      .map((it) => it.link),
  );
  const holders = [...viewers.values()].flatMap(({ remapped }) =>
    remapped.flatMap(({ link, after }) => (after === null ? [] : [[after, link]])),
  );
  return mergeChains([...chains, ...holders], reference);
}

const viewerPair = (viewer: string, peer: string): string => `${viewer}/${peer}`;

interface KnownMoment {
  readonly created: string;
  readonly version: number;
}

/** The time at which the last view of a peer was assigned; `undefined` when no object has it. */
function lastOf(views: readonly LiveView[]): KnownMoment | undefined {
  const known = views.filter(({ given }) => given.created !== null || given.version !== null);
  if (known.length === 0) return undefined;
  const [created = ''] = known.map((it) => it.given.created ?? '').sort((a, b) => byCodeUnit(b, a));
  return { created, version: largest(known.map((it) => it.given.version ?? 0)) };
}

/** A binary heap of numbers, with the smallest first. Duplicates are kept. */
export class MinHeap {
  readonly #numbers: number[] = [];

  add(number: number): void {
    const numbers = this.#numbers;
    let at = numbers.push(number) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#at(above) <= this.#at(at)) break;
      this.#swap(above, at);
      at = above;
    }
  }

  take(): number | undefined {
    const [smallest] = this.#numbers;
    const last = this.#numbers.pop();
    if (smallest === undefined || last === undefined || this.#numbers.length === 0) return smallest;
    this.#numbers[0] = last;
    this.#sink();
    return smallest;
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const smaller = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(smaller) >= this.#at(at)) return;
      this.#swap(smaller, at);
      at = smaller;
    }
  }

  #swap(a: number, b: number): void {
    const [x, y] = [this.#at(a), this.#at(b)];
    this.#numbers[a] = y;
    this.#numbers[b] = x;
  }

  #at(index: number): number {
    return this.#numbers[index] ?? Number.POSITIVE_INFINITY;
  }
}

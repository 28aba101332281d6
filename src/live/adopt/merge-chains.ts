import type { Link } from '../../fleet/model/network-model.ts';
import { MinHeap } from './min-heap.ts';

/** How many links are looked at when the chains contradict each other. */
const MOST_COMPARED = 64;

/**
 * All links in one order: each chain keeps its own, and what no chain orders is as in the reference. Where chains contradict
 * each other, the link goes first that the fewest of them want later.
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

import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import { giveBack, missedAmong, takeEnd } from './replay-viewer.ts';
import type { RemappedEnd, Viewer } from './viewer.ts';

/** Up to this number of remapped peers all orders count, which are 5,040. */
export const MOST_EXACT = 7;

interface ExactOrder {
  readonly order: readonly RemappedEnd[];
  /** How many views a rollout in this order gives otherwise. No order has fewer. */
  readonly missed: number;
}

/** The first of the orders of these peers in which a rollout of their cluster alone misses the fewest views. */
export function exactOrder({ freshIpam }: Pick<Viewer, 'freshIpam'>, ends: readonly RemappedEnd[]): ExactOrder {
  const search: Search = { ipam: freshIpam(), best: { order: ends, missed: Number.POSITIVE_INFINITY } };
  follow(search, [], ends, 0);
  return search.best;
}

interface Search {
  readonly ipam: Allocator;
  best: ExactOrder;
}

function follow(search: Search, before: readonly RemappedEnd[], left: readonly RemappedEnd[], missed: number): void {
  if (missed >= search.best.missed) return;
  if (left.length === 0) {
    search.best = { order: before, missed };
    return;
  }
  for (const end of left) {
    const given = takeEnd(end, search.ipam);
    const lost = missedAmong(end, given).length;
    follow(
      search,
      [...before, end],
      left.filter((it) => it !== end),
      missed + lost,
    );
    giveBack(given, search.ipam);
    if (search.best.missed === 0) return;
  }
}

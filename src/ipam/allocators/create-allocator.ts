import { bug } from '../../diagnostics/bug.ts';
import type { AllocatorKind } from '../../model/network-model.ts';
import { overlaps, type Prefix } from '../../net/prefix.ts';
import type { Allocator } from './allocator.ts';
import { BestFitAllocator } from './best-fit-allocator.ts';
import { LiqoAllocator } from './liqo-allocator.ts';
import type { Meter } from './prefix-trie.ts';

/**
 * An empty allocator over these pools, which it tries in this order. Only `liqo-1.0` takes pools that overlap, as the
 * original does; for the others a topology with such pools was refused before.
 */
export function createAllocator(
  kind: AllocatorKind,
  pools: readonly Prefix[],
  meter: Meter = { visits: 0 },
): Allocator {
  if (!acceptsPools(kind, pools)) bug(`the pools of a ${kind} allocator overlap`);
  return kind === 'best-fit' ? new BestFitAllocator(pools, meter) : new LiqoAllocator(kind, pools, meter);
}

/** Whether the original starts with these pools: `liqo-1.2` and `best-fit` refuse pools that overlap. */
export function acceptsPools(kind: AllocatorKind, pools: readonly Prefix[]): boolean {
  return kind === 'liqo-1.0' || !pools.some((a, i) => pools.some((b, j) => i < j && overlaps(a, b)));
}

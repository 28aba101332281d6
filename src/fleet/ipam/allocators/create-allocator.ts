import { bug } from '../../../base/diagnostics/outcome.ts';
import { overlaps, type Prefix } from '../../../base/net/prefix.ts';
import { type AllocatorKind, allocatorTraits } from '../../../base/releases/allocators.ts';
import type { Allocator } from './allocator.ts';
import { BestFitAllocator } from './best-fit-allocator.ts';
import { LiqoAllocator } from './liqo-allocator.ts';
import type { Meter } from './prefix-trie.ts';

/**
 * An empty allocator over these pools, in this order. Some kinds accept pools that overlap, as the original does; for
 * the others, an earlier stage has rejected a topology with such pools.
 */
export function createAllocator(
  kind: AllocatorKind,
  pools: readonly Prefix[],
  meter: Meter = { visits: 0 },
): Allocator {
  if (!acceptsPools(kind, pools)) bug(`the pools of a ${kind} allocator overlap`);
  const traits = allocatorTraits(kind);
  switch (traits.search) {
    case 'walk':
      return new LiqoAllocator(traits, pools, meter);
    case 'smallest-block':
      return new BestFitAllocator(pools, meter);
  }
}

/** True when the original starts with these pools: some kinds reject pools that overlap. */
export function acceptsPools(kind: AllocatorKind, pools: readonly Prefix[]): boolean {
  return allocatorTraits(kind).takesOverlappingPools || areDisjoint(pools);
}

/**
 * True when no networks overlap. Networks that overlap are nested, and then the outer one also overlaps its successor
 * in this order.
 */
function areDisjoint(networks: readonly Prefix[]): boolean {
  const sorted = [...networks].sort((a, b) => a.base - b.base || a.length - b.length);
  return sorted.every((it, i) => i === 0 || !overlaps(sorted[i - 1] ?? it, it));
}

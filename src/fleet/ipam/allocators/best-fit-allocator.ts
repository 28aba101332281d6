import { bug } from '../../../base/diagnostics/outcome.ts';
import { contains, overlaps, type Prefix, samePrefix } from '../../../base/net/prefix.ts';
import { type Allocation, type AllocationFailure, type Allocator, granted, refused } from './allocator.ts';
import { type Meter, PrefixTrie, ROOT } from './prefix-trie.ts';

const EVERY_ADDRESS: Prefix = { base: 0, length: 0 };

/**
 * The allocator before Liqo 1.0 final: a move gets the smallest free block that is long enough. A network outside the
 * pools is granted unchanged, and recorded.
 * Source: liqotech/liqo@v1.0.0-rc.2 pkg/liqonet/ipam/ipam.go, metal-stack/go-ipam@v1.11.3 prefix.go.
 */
export class BestFitAllocator implements Allocator {
  readonly #pools: readonly PrefixTrie[];
  readonly #outside: PrefixTrie;

  constructor(pools: readonly Prefix[], meter: Meter) {
    this.#pools = pools.map((it) => new PrefixTrie(it, meter));
    this.#outside = new PrefixTrie(EVERY_ADDRESS, meter);
  }

  acquire(wanted: Prefix): Allocation {
    const pool = this.#poolAround(wanted);
    if (pool === undefined && this.#coversPools(wanted)) return refused('rejected');
    if (pool === undefined) return this.#takeOutside(wanted) ? granted(wanted) : this.#move(wanted.length);
    if (!samePrefix(pool.root, wanted)) return pool.take(wanted) ? granted(wanted) : this.#move(wanted.length);
    // A whole pool is treated as a move first, even when it is free.
    const moved = this.#move(wanted.length);
    return moved.ok ? moved : takeHalves(pool, 'exhausted');
  }

  reserve(wanted: Prefix, _shared: boolean): Allocation {
    const pool = this.#poolAround(wanted);
    if (pool === undefined && this.#coversPools(wanted)) return refused('rejected');
    if (pool !== undefined && samePrefix(pool.root, wanted)) return takeHalves(pool, 'unavailable');
    const done = pool === undefined ? this.#takeOutside(wanted) : pool.take(wanted);
    return done ? granted(wanted) : refused('unavailable');
  }

  release(prefix: Prefix): Prefix | undefined {
    const pool = this.#poolAround(prefix);
    if (pool === undefined) return this.#outside.release(prefix) ? prefix : undefined;
    // A whole pool is taken as two halves, so each half that is taken is freed.
    const parts = samePrefix(pool.root, prefix) ? halvesOf(prefix) : [prefix];
    return parts.filter((it) => pool.release(it)).length > 0 ? prefix : undefined;
  }

  fits(wanted: Prefix): boolean {
    const pool = this.#poolAround(wanted);
    if (pool === undefined) return this.#isClearOfPools(wanted) && this.#outside.fits(wanted);
    if (!samePrefix(pool.root, wanted)) return pool.fits(wanted);
    return wanted.length < 32 && !pool.isSplit(ROOT);
  }

  countFree(length: number): number {
    const wider = this.#pools.filter((it) => length > it.root.length);
    return wider.reduce((sum, it) => sum + it.countFree(length), 0);
  }

  #move(length: number): Allocation {
    for (const pool of this.#pools) {
      const found = smallestBlock(pool, length);
      if (found === undefined) continue;
      return pool.take(found) ? granted(found) : bug('best-fit chose a network that is already taken');
    }
    return refused('exhausted');
  }

  #takeOutside(wanted: Prefix): boolean {
    return this.#isClearOfPools(wanted) && this.#outside.take(wanted);
  }

  #poolAround(prefix: Prefix): PrefixTrie | undefined {
    return this.#pools.find((it) => contains(it.root, prefix));
  }

  #isClearOfPools(prefix: Prefix): boolean {
    return !this.#pools.some((it) => overlaps(it.root, prefix));
  }

  /**
   * True when the pools together cover a network that is in none of them. The original looks for the pool of a request
   * in a growing union of all pools, ends at the last part, and that part then refuses the request.
   */
  #coversPools(wanted: Prefix): boolean {
    const parts = this.#pools.filter((it) => contains(wanted, it.root));
    return parts.reduce((sum, it) => sum + 2 ** (wanted.length - it.root.length), 0) === 1;
  }
}

/**
 * The lowest network of the smallest free block that is long enough; among equal blocks the one with the lowest address.
 * A pool is never granted as a whole.
 */
function smallestBlock(pool: PrefixTrie, length: number): Prefix | undefined {
  if (length <= pool.root.length) return undefined;
  if (!pool.isSplit(ROOT)) return { base: pool.root.base, length };
  const candidates = pool.freeLengths(ROOT, length);
  if (candidates === 0) return undefined;
  // The highest bit is the longest prefix, that is the smallest block; bit n - 1 is length n.
  const blockLength = 32 - Math.clz32(candidates);
  let node = ROOT;
  let base = pool.root.base;
  for (let nodeLength = pool.root.length + 1; nodeLength <= blockLength; nodeLength++) {
    const left = pool.leftHalf(node) ?? bug('a block that is listed as free does not exist');
    const goLeft = hasBlock(pool, left, blockLength);
    node = goLeft ? left : left + 1;
    if (!goLeft) base = (base | (1 << (32 - nodeLength))) >>> 0;
  }
  return { base, length };
}

function hasBlock(pool: PrefixTrie, node: number, blockLength: number): boolean {
  return pool.freeLengths(node, blockLength) >>> (blockLength - 1) === 1;
}

/** Takes both halves of a pool; on a failure a half that was free stays taken, as in the original. */
function takeHalves(pool: PrefixTrie, failure: 'exhausted' | 'unavailable'): Allocation {
  const halves = halvesOf(pool.root);
  const taken = halves.filter((it) => pool.take(it)).length;
  if (taken === 2) return granted(pool.root);
  const leaked: AllocationFailure = `${failure}-half-leaked`;
  return refused(taken === 1 ? leaked : failure);
}

/** The two halves of a network; a single address has none. */
function halvesOf({ base, length }: Prefix): readonly Prefix[] {
  if (length === 32) return [];
  return [
    { base, length: length + 1 },
    { base: (base | (1 << (31 - length))) >>> 0, length: length + 1 },
  ];
}

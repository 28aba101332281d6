import { bug } from '../../../base/diagnostics/outcome.ts';
import { contains, overlaps, type Prefix } from '../../../base/net/prefix.ts';
import type { AllocatorTraits } from '../../../base/releases/allocators.ts';
import { type Allocation, type Allocator, granted, refused } from './allocator.ts';
import { type Meter, PrefixTrie, ROOT } from './prefix-trie.ts';

/**
 * The allocator of Liqo 1.0 and later: the requested network when it is free, otherwise the one that its walk finds.
 * Source: liqotech/liqo@v1.0.3 and @v1.2.0 pkg/ipam/core/ipam.go, pkg/ipam/networks.go.
 */
export class LiqoAllocator implements Allocator {
  readonly #pools: readonly Prefix[];
  readonly #traits: AllocatorTraits;
  readonly #meter: Meter;
  /** The taken networks, until tries are needed. */
  readonly #few: FewNetworks;
  #tries: readonly PrefixTrie[] | undefined;

  constructor(traits: AllocatorTraits, pools: readonly Prefix[], meter: Meter) {
    this.#traits = traits;
    this.#pools = pools;
    this.#meter = meter;
    this.#few = new FewNetworks(pools);
    // With one trie per pool, pools that overlap take the same network twice.
    if (traits.takesOverlappingPools) this.#inTries();
  }

  acquire(wanted: Prefix): Allocation {
    if (this.#traits.outsidePools === 'refused' && !this.#isInPool(wanted)) return refused('not-in-pool');
    const few = this.#ifFew();
    if (few ? few.take(wanted) : this.#inTries().some((it) => it.take(wanted))) return granted(wanted);
    for (const pool of this.#inTries()) {
      const found = walkPool(pool, wanted.length);
      if (found === undefined) continue;
      return pool.take(found) ? granted(found) : bug('the walk of an allocator chose a network that is already taken');
    }
    return refused('exhausted');
  }

  reserve(wanted: Prefix, shared: boolean): Allocation {
    const sharing = shared && this.#traits.sharesReservations;
    // A shared network outside every pool is granted and not recorded.
    if (!this.#isInPool(wanted)) return sharing ? granted(wanted) : refused('not-in-pool');
    const few = this.#ifFew();
    const takers: readonly (FewNetworks | PrefixTrie)[] = few ? [few] : this.#inTries();
    const done = takers.some((it) => (sharing ? it.share(wanted) : it.take(wanted)));
    return done ? granted(wanted) : refused('unavailable');
  }

  release(prefix: Prefix): Prefix | undefined {
    return this.#inTries().some((it) => it.release(prefix)) ? prefix : undefined;
  }

  fits(wanted: Prefix): boolean {
    return this.#tries ? this.#tries.some((it) => it.fits(wanted)) : this.#few.fits(wanted);
  }

  countFree(length: number): number {
    return this.#inTries().reduce((sum, it) => sum + it.countFree(length), 0);
  }

  #isInPool(wanted: Prefix): boolean {
    return this.#pools.some((it) => contains(it, wanted));
  }

  /** The list, if it has room for one more network; otherwise `undefined`. */
  #ifFew(): FewNetworks | undefined {
    return this.#tries === undefined && !this.#few.isFull ? this.#few : undefined;
  }

  #inTries(): readonly PrefixTrie[] {
    if (this.#tries === undefined) {
      this.#tries = this.#pools.map((it) => new PrefixTrie(it, this.#meter));
      this.#few.moveTo(this.#tries);
    }
    return this.#tries;
  }
}

/**
 * The network at which Liqo's walk ends. The walk goes from the pool downwards into the half that is already split, the
 * left one before the right one, if it has room. Taken halves never have room, so a split shared half changes nothing.
 * Source: liqotech/liqo@v1.2.0 pkg/ipam/core/node.go (allocateNetwork).
 */
function walkPool(pool: PrefixTrie, length: number): Prefix | undefined {
  if (!pool.hasRoom(ROOT, pool.root.length, length)) return undefined;
  let node = ROOT;
  let base = pool.root.base;
  for (let nodeLength = pool.root.length; nodeLength < length; ) {
    const left = pool.leftHalf(node);
    // Below a free block the walk always goes left, which gives its lowest network.
    if (left === undefined) break;
    nodeLength++;
    const rightFirst = pool.isSplit(left + 1) && !pool.isSplit(left);
    const first = rightFirst ? left + 1 : left;
    const second = rightFirst ? left : left + 1;
    node = pool.hasRoom(first, nodeLength, length) ? first : second;
    if (node !== left) base = (base | (1 << (32 - nodeLength))) >>> 0;
  }
  return { base, length };
}

/**
 * Largest number of networks in a list. Searching so many takes less time than building tries; most clusters have
 * fewer.
 */
const MOST_NETWORKS = 16;

interface TakenNetwork {
  readonly network: Prefix;
  readonly shared: boolean;
}

/**
 * The taken networks of an IPAM with few of them, as a list with the same results as tries. The pools are disjoint, so
 * a network is in one of them or in none.
 */
class FewNetworks {
  readonly #pools: readonly Prefix[];
  readonly #taken: TakenNetwork[] = [];

  constructor(pools: readonly Prefix[]) {
    this.#pools = pools;
  }

  get isFull(): boolean {
    return this.#taken.length >= MOST_NETWORKS;
  }

  fits(wanted: Prefix): boolean {
    return this.#isInPool(wanted) && !this.#taken.some((it) => overlaps(it.network, wanted));
  }

  take(wanted: Prefix): boolean {
    if (!this.fits(wanted)) return false;
    this.#taken.push({ network: wanted, shared: false });
    return true;
  }

  /** Shared networks may overlap each other. */
  share(wanted: Prefix): boolean {
    if (!this.#isInPool(wanted)) return false;
    if (this.#taken.some((it) => !it.shared && overlaps(it.network, wanted))) return false;
    this.#taken.push({ network: wanted, shared: true });
    return true;
  }

  /** Takes all networks in tries, one for each pool. */
  moveTo(tries: readonly PrefixTrie[]): void {
    for (const { network, shared } of this.#taken) {
      const pool = tries.find((it) => contains(it.root, network));
      if (shared) pool?.share(network);
      else pool?.take(network);
    }
  }

  #isInPool(wanted: Prefix): boolean {
    return this.#pools.some((it) => contains(it, wanted));
  }
}

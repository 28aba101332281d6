import { contains, overlaps, type Prefix, samePrefix } from '../../../src/base/net/prefix.ts';
import type { AllocatorKind } from '../../../src/base/releases/allocators.ts';
import { type Allocation, type Allocator, granted, refused } from '../../../src/fleet/ipam/allocators/allocator.ts';

/** A taken network; `shares` counts its owners when it is shared and is 0 when it is exclusive. */
interface Taken {
  readonly prefix: Prefix;
  shares: number;
}

/** The allocators said again in the plainest way: a list of taken networks, searched from end to end for every answer. */
export function naiveAllocator(kind: AllocatorKind, pools: readonly Prefix[]): Allocator {
  return kind === 'best-fit' ? naiveBestFit(pools) : naiveLiqo(kind, pools);
}

function naiveLiqo(kind: 'liqo-1.0' | 'liqo-1.2', pools: readonly Prefix[]): Allocator {
  let taken: Taken[] = [];
  const isInPool = (wanted: Prefix) => pools.some((it) => contains(it, wanted));
  const isClear = (wanted: Prefix) => !taken.some((it) => overlaps(it.prefix, wanted));
  const isSplit = (node: Prefix) => taken.some((it) => contains(node, it.prefix) && !samePrefix(node, it.prefix));
  const isTaken = (node: Prefix) => taken.some((it) => contains(it.prefix, node));
  const take = (prefix: Prefix): Allocation => {
    taken.push({ prefix, shares: 0 });
    return granted(prefix);
  };
  const walk = (node: Prefix, length: number): Prefix | undefined => {
    if (isTaken(node) || node.length > length) return undefined;
    if (node.length === length) return isSplit(node) ? undefined : node;
    const [left, right] = halves(node);
    const order = isSplit(right) && !isSplit(left) ? [right, left] : [left, right];
    for (const half of order) {
      const found = walk(half, length);
      if (found) return found;
    }
    return undefined;
  };
  const share = (prefix: Prefix): Allocation => {
    if (taken.some((it) => it.shares === 0 && overlaps(it.prefix, prefix))) return refused('unavailable');
    const known = taken.find((it) => samePrefix(it.prefix, prefix));
    if (known) known.shares++;
    else taken.push({ prefix, shares: 1 });
    return granted(prefix);
  };
  return {
    acquire(wanted) {
      if (!isInPool(wanted) && kind === 'liqo-1.0') return refused('not-in-pool');
      if (isInPool(wanted) && isClear(wanted)) return take(wanted);
      const found = pools.map((it) => walk(it, wanted.length)).find((it) => it !== undefined);
      return found ? take(found) : refused('exhausted');
    },
    reserve(wanted, shared) {
      const sharing = shared && kind === 'liqo-1.2';
      if (!isInPool(wanted)) return sharing ? granted(wanted) : refused('not-in-pool');
      if (sharing) return share(wanted);
      return isClear(wanted) ? take(wanted) : refused('unavailable');
    },
    release(prefix) {
      const known = taken.find((it) => samePrefix(it.prefix, prefix));
      if (known === undefined) return undefined;
      if (known.shares > 0) known.shares--;
      if (known.shares === 0) taken = taken.filter((it) => it !== known);
      return prefix;
    },
    fits: (wanted) => isInPool(wanted) && isClear(wanted),
    countFree: (length) =>
      countIn(
        pools.flatMap((it) => freeBlocks(it, taken)),
        length,
      ),
  };
}

function naiveBestFit(pools: readonly Prefix[]): Allocator {
  let taken: Taken[] = [];
  const isClear = (wanted: Prefix) => !taken.some((it) => overlaps(it.prefix, wanted));
  const poolAround = (wanted: Prefix) => pools.find((it) => contains(it, wanted));
  const touchesPool = (wanted: Prefix) => pools.some((it) => overlaps(it, wanted));
  const take = (prefix: Prefix): Allocation => {
    taken.push({ prefix, shares: 0 });
    return granted(prefix);
  };
  const isCovered = (wanted: Prefix) =>
    poolAround(wanted) === undefined &&
    freeBlocks(
      wanted,
      pools.map((prefix) => ({ prefix })),
    ).length === 0;
  const move = (length: number): Allocation => {
    for (const pool of pools.filter((it) => it.length < length)) {
      const blocks = freeBlocks(pool, taken).filter((it) => it.length <= length);
      const smallest = Math.max(...blocks.map((it) => it.length));
      const block = blocks.filter((it) => it.length === smallest).sort((a, b) => a.base - b.base)[0];
      if (block) return take({ base: block.base, length });
    }
    return refused('exhausted');
  };
  const takeHalves = (pool: Prefix, refusal: 'exhausted' | 'unavailable'): Allocation => {
    const free = pool.length === 32 ? [] : halves(pool).filter(isClear);
    free.forEach(take);
    if (free.length === 2) return granted(pool);
    return refused(free.length === 1 ? `${refusal}-half-leaked` : refusal);
  };
  const isPool = (wanted: Prefix) => pools.some((it) => samePrefix(it, wanted));
  const isFree = (wanted: Prefix) => isClear(wanted) && (poolAround(wanted) !== undefined || !touchesPool(wanted));
  const releaseOne = (prefix: Prefix): boolean => {
    const left = taken.filter((it) => !samePrefix(it.prefix, prefix));
    const isKnown = left.length < taken.length;
    taken = left;
    return isKnown;
  };
  return {
    acquire(wanted) {
      if (isCovered(wanted)) return refused('rejected');
      if (!isPool(wanted)) return isFree(wanted) ? take(wanted) : move(wanted.length);
      const moved = move(wanted.length);
      return moved.ok ? moved : takeHalves(wanted, 'exhausted');
    },
    reserve(wanted) {
      if (isCovered(wanted)) return refused('rejected');
      if (isPool(wanted)) return takeHalves(wanted, 'unavailable');
      return isFree(wanted) ? take(wanted) : refused('unavailable');
    },
    release(prefix) {
      const parts = !isPool(prefix) ? [prefix] : prefix.length === 32 ? [] : halves(prefix);
      return parts.map(releaseOne).includes(true) ? prefix : undefined;
    },
    fits: (wanted) => isFree(wanted) && !(isPool(wanted) && wanted.length === 32),
    countFree: (length) =>
      countIn(
        pools.filter((it) => it.length < length).flatMap((it) => freeBlocks(it, taken)),
        length,
      ),
  };
}

/** The free part of a network, cut into the fewest aligned blocks. */
function freeBlocks(node: Prefix, taken: readonly { readonly prefix: Prefix }[]): readonly Prefix[] {
  if (taken.some((it) => contains(it.prefix, node))) return [];
  if (!taken.some((it) => overlaps(it.prefix, node))) return [node];
  return halves(node).flatMap((it) => freeBlocks(it, taken));
}

function countIn(blocks: readonly Prefix[], length: number): number {
  return blocks.filter((it) => it.length <= length).reduce((sum, it) => sum + 2 ** (length - it.length), 0);
}

function halves({ base, length }: Prefix): readonly [Prefix, Prefix] {
  return [
    { base, length: length + 1 },
    { base: base + 2 ** (31 - length), length: length + 1 },
  ];
}

import { contains, overlaps, type Prefix, samePrefix } from '../../../base/net/prefix.ts';
import type { AllocatorKind } from '../../../base/releases/allocators.ts';
import { NetworkIndex, networkKey } from '../networks.ts';

/** A simple IPAM. It never releases networks, because a rollout only adds networks. */
export interface NaiveIpam {
  /** Reserves exactly this network; false when Liqo refuses it. */
  reserve(network: Prefix, shared: boolean): boolean;
  /** Assigns this network, or another one of the same length; `undefined` when none is free. */
  acquire(network: Prefix): Prefix | undefined;
  /** True when a request for this network would get exactly this one. */
  fits(network: Prefix): boolean;
}

export const naiveIpam = (kind: AllocatorKind, pools: readonly Prefix[]): NaiveIpam =>
  kind === 'best-fit' ? bestFitIpam(pools) : liqoIpam(kind, pools);

/**
 * The IPAM of Liqo 1.0 and later: the requested network if it is free, otherwise the first free block of the walk.
 * Networks are never released, so a part of a pool without room for a length never has room for it again and is
 * remembered. Source: liqotech/liqo@v1.2.0 and @v1.0.3 pkg/ipam/core/node.go (allocateNetwork,
 * allocateNetworkWithPrefix).
 */
function liqoIpam(kind: 'liqo-1.0' | 'liqo-1.2', pools: readonly Prefix[]): NaiveIpam {
  const taken = new NetworkIndex();
  /** The taken networks that are not shared. */
  const exclusive = new NetworkIndex();
  const full = new Map<number, Set<number>>();
  const isInPool = (network: Prefix): boolean => pools.some((it) => contains(it, network));
  const fits = (network: Prefix): boolean => isInPool(network) && !taken.touches(network);

  const walk = (node: Prefix, length: number, withoutRoom: Set<number>): Prefix | undefined => {
    if (node.length > length || taken.has(node) || withoutRoom.has(networkKey(node))) return undefined;
    if (node.length === length) return taken.hasInside(node) ? undefined : node;
    const [left, right] = halvesOf(node);
    const rightFirst = taken.hasInside(right) && !taken.hasInside(left);
    const [first, second] = rightFirst ? [right, left] : [left, right];
    const found = walk(first, length, withoutRoom) ?? walk(second, length, withoutRoom);
    if (!found) withoutRoom.add(networkKey(node));
    return found;
  };
  const move = (length: number): Prefix | undefined => {
    const withoutRoom = full.get(length) ?? new Set<number>();
    full.set(length, withoutRoom);
    for (const pool of pools) {
      const found = walk(pool, length, withoutRoom);
      if (found) return found;
    }
    return undefined;
  };
  return {
    fits,
    reserve(network, shared) {
      const sharing = shared && kind === 'liqo-1.2';
      // Since 1.2 a shared network outside the pools is granted and not tracked.
      if (!isInPool(network)) return sharing;
      if ((sharing ? exclusive : taken).touches(network)) return false;
      taken.add(network);
      if (!sharing) exclusive.add(network);
      return true;
    },
    acquire(network) {
      if (kind === 'liqo-1.0' && !isInPool(network)) return undefined;
      const given = fits(network) ? network : move(network.length);
      if (given) for (const index of [taken, exclusive]) index.add(given);
      return given;
    },
  };
}

/**
 * The IPAM before 1.0 final: the smallest free block that is long enough, the lowest among equals, in the first pool
 * with room. Outside the pools a network is assigned as requested, and stored. Source: liqotech/liqo@v1.0.0-rc.2
 * pkg/liqonet/ipam/ipam.go, metal-stack/go-ipam@v1.11.3 prefix.go.
 */
function bestFitIpam(pools: readonly Prefix[]): NaiveIpam {
  const outside = new NetworkIndex();
  /** The free addresses of each pool as the fewest aligned blocks. */
  const free = pools.map((pool) => ({ pool, blocks: [pool] }));
  const aroundInPools = (network: Prefix) => free.find(({ pool }) => contains(pool, network));
  const isFree = (network: Prefix): boolean => {
    const around = aroundInPools(network);
    if (around) return around.blocks.some((it) => contains(it, network));
    return !pools.some((it) => overlaps(it, network)) && !outside.touches(network);
  };
  const take = (network: Prefix): void => {
    const around = aroundInPools(network);
    if (around) around.blocks = around.blocks.flatMap((it) => (contains(it, network) ? rest(it, network) : [it]));
    else outside.add(network);
  };
  const placeFor = (length: number): Prefix | undefined => {
    for (const { pool, blocks } of free) {
      const enough = pool.length < length ? blocks.filter((it) => it.length <= length) : [];
      const [first, ...others] = enough;
      if (!first) continue;
      const best = others.reduce(
        (a, b) => (b.length > a.length || (b.length === a.length && b.base < a.base) ? b : a),
        first,
      );
      return { base: best.base, length };
    }
    return undefined;
  };
  // A request for a whole pool is treated as a move first, even when the pool is free.
  const isExact = (network: Prefix): boolean =>
    isFree(network) && !(pools.some((it) => samePrefix(it, network)) && placeFor(network.length));
  return {
    fits: isExact,
    reserve(network) {
      if (!isFree(network)) return false;
      take(network);
      return true;
    },
    acquire(network) {
      const given = isExact(network) ? network : placeFor(network.length);
      if (given) take(given);
      return given;
    },
  };
}

/** The free blocks that remain of a block when a network inside it is taken. */
function rest(block: Prefix, network: Prefix): readonly Prefix[] {
  if (samePrefix(block, network)) return [];
  const [left, right] = halvesOf(block);
  return contains(left, network) ? [...rest(left, network), right] : [left, ...rest(right, network)];
}

function halvesOf({ base, length }: Prefix): readonly [left: Prefix, right: Prefix] {
  return [
    { base, length: length + 1 },
    { base: base + 2 ** (31 - length), length: length + 1 },
  ];
}

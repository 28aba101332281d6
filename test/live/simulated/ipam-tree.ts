import { type Cidr, isAround, sizeOf } from './cidr.ts';

/** A block of a pool. A count of -1 says that it belongs to one request alone. */
export interface Block {
  readonly cidr: Cidr;
  count: number;
  halves: readonly [Block, Block] | undefined;
  readonly addresses: Set<number>;
  last: number | undefined;
}

export const ALONE = -1;

export const isSame = (a: Cidr, b: Cidr): boolean => a.base === b.base && a.length === b.length;

export const blockOf = (cidr: Cidr): Block => ({
  cidr,
  count: 0,
  halves: undefined,
  addresses: new Set(),
  last: undefined,
});

function split(block: Block): readonly [Block, Block] {
  const length = block.cidr.length + 1;
  const { base } = block.cidr;
  block.halves ??= [blockOf({ base, length }), blockOf({ base: base + sizeOf({ base, length }), length })];
  return block.halves;
}

/** The half that a network, possibly with bits behind its length, begins in. */
const halfAround = (block: Block, { base }: Cidr): Block => {
  const [left, right] = split(block);
  return base < right.cidr.base ? left : right;
};

export function exactBefore12(block: Block, cidr: Cidr): Block | undefined {
  if (block.count !== 0 || !isAround(block.cidr, cidr)) return undefined;
  if (!isSame(block.cidr, cidr)) return exactBefore12(halfAround(block, cidr), cidr);
  if (block.halves !== undefined) return undefined;
  block.count = ALONE;
  return block;
}

export function exactOrShared(block: Block, cidr: Cidr, owner: number): Block | undefined {
  if (!isAround(block.cidr, cidr)) return undefined;
  const isAlone = owner === ALONE;
  if (isSame(block.cidr, cidr)) {
    if (isAlone ? block.count !== 0 || hasBelow(block, () => true) : block.count === ALONE || hasBelow(block, isOwned))
      return undefined;
    block.count = isAlone ? ALONE : block.count + 1;
    return block;
  }
  if (block.count === ALONE || (isAlone && block.count !== 0)) return undefined;
  return exactOrShared(halfAround(block, cidr), cidr, owner);
}

const isOwned = ({ count }: Block): boolean => count === ALONE;

const hasBelow = (block: Block, matches: (taken: Block) => boolean): boolean =>
  block.halves?.some((it) => (it.count !== 0 && matches(it)) || hasBelow(it, matches)) ?? false;

export function walk(block: Block, length: number): Block | undefined {
  if (block.count !== 0 || block.cidr.length > length) return undefined;
  if (block.cidr.length === length) {
    if (block.halves !== undefined) return undefined;
    block.count = ALONE;
    return block;
  }
  const [left, right] = split(block);
  const order = left.halves === undefined && right.halves !== undefined ? [right, left] : [left, right];
  for (const it of order) {
    const found = walk(it, length);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function releaseIn(block: Block, cidr: Cidr): Block | undefined {
  if (isSame(block.cidr, cidr)) {
    if (block.count === 0) return undefined;
    block.count = block.count === ALONE ? 0 : block.count - 1;
    if (block.count === 0) block.addresses.clear();
    return block;
  }
  let found: Block | undefined;
  for (const it of block.halves ?? []) if (isAround(it.cidr, cidr)) found = releaseIn(it, cidr);
  const isIdle = block.halves?.every((it) => it.halves === undefined && it.count === 0);
  if (isIdle) block.halves = undefined;
  return found;
}

import { type Cidr, isAround, parseCidr, printAddress, printCidr, sizeOf } from './cidr.ts';

/** A block of a pool. A count of -1 says that it belongs to one request alone. */
interface Block {
  readonly cidr: Cidr;
  count: number;
  halves: readonly [Block, Block] | undefined;
  readonly addresses: Set<number>;
  last: number | undefined;
}

const ALONE = -1;

/**
 * The IPAM of one cluster, with the tree that it keeps between requests: blocks are split when something inside of them is
 * asked for, also in vain, and joined when both halves are free again. Written from what it does, and used for laws, so it
 * shares nothing with the allocators of the compiler.
 * Source: liqotech/liqo@v1.2.0 and @v1.1.2 pkg/ipam/core/node.go, pkg/ipam/networks.go.
 */
export class Ipam {
  readonly #pools: readonly Block[];
  readonly #sharesNetworks: boolean;

  /** Since 1.2 networks can be shared, idle halves do not block an exact request, and requests outside all pools are moved. */
  constructor(pools: readonly string[], { sharesNetworks }: { readonly sharesNetworks: boolean }) {
    this.#pools = pools.map((it) => blockOf(cidrOf(it)));
    this.#sharesNetworks = sharesNetworks;
  }

  /** This network if it is free, else another one of the same length. */
  acquire(text: string): string | undefined {
    const cidr = parseCidr(text);
    if (cidr === undefined) return undefined;
    if (!this.#sharesNetworks && !this.#isInPool(cidr)) return undefined;
    const found = this.#exact(cidr, ALONE) ?? this.#moved(cidr.length);
    return found && printCidr(found.cidr);
  }

  /** This network and no other. */
  reserve(text: string, { shared = false } = {}): string | undefined {
    const cidr = parseCidr(text);
    if (cidr === undefined) return undefined;
    const isShared = shared && this.#sharesNetworks;
    if (!this.#isInPool(cidr)) return isShared ? text : undefined;
    const found = this.#exact(cidr, isShared ? 1 : ALONE);
    return found && printCidr(found.cidr);
  }

  release(text: string): string | undefined {
    const cidr = parseCidr(text);
    if (cidr === undefined) return undefined;
    for (const it of this.#pools) {
      const found = isAround(it.cidr, cidr) ? releaseIn(it, cidr) : undefined;
      if (found !== undefined) return printCidr(found.cidr);
    }
    return undefined;
  }

  /** The next address of a network that was given; at its end the search begins at its start. */
  acquireAddress(network: string): string | undefined {
    const block = this.#given(network);
    if (block === undefined) return undefined;
    const { base } = block.cidr;
    const size = sizeOf(block.cidr);
    const start = block.last === undefined || block.last === base ? base : block.last + 1;
    for (let i = 0; i < size; i++) {
      const address = base + ((start - base + i) % size);
      if (block.addresses.has(address)) continue;
      block.addresses.add(address);
      block.last = address;
      return printAddress(address);
    }
    return undefined;
  }

  reserveAddress(network: string, address: string): void {
    this.#given(network)?.addresses.add(numberOf(address));
  }

  releaseAddress(network: string, address: string): void {
    this.#given(network)?.addresses.delete(numberOf(address));
  }

  /** The first addresses of a network, for the user of it. */
  reserveFirst(network: string, count: number): void {
    const block = this.#given(network);
    for (let i = 0; block !== undefined && i < count; i++) block.addresses.add(block.cidr.base + i);
  }

  #isInPool(cidr: Cidr): boolean {
    return this.#pools.some((it) => isAround(it.cidr, cidr));
  }

  #exact(cidr: Cidr, owner: number): Block | undefined {
    for (const it of this.#pools) {
      const found = this.#sharesNetworks ? exactOrShared(it, cidr, owner) : exactBefore12(it, cidr);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #moved(length: number): Block | undefined {
    for (const it of this.#pools) {
      const found = walk(it, length);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #given(text: string): Block | undefined {
    const cidr = cidrOf(text);
    let at = this.#pools.find((it) => isAround(it.cidr, cidr));
    while (at !== undefined && !isSame(at.cidr, cidr)) at = at.halves?.find((it) => isAround(it.cidr, cidr));
    return at?.count === 0 ? undefined : at;
  }
}

const isSame = (a: Cidr, b: Cidr): boolean => a.base === b.base && a.length === b.length;

const numberOf = (address: string): number => cidrOf(`${address}/32`).base;

function cidrOf(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === undefined) throw new Error(`${text} is no network`);
  return cidr;
}

const blockOf = (cidr: Cidr): Block => ({
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

function exactBefore12(block: Block, cidr: Cidr): Block | undefined {
  if (block.count !== 0 || !isAround(block.cidr, cidr)) return undefined;
  if (!isSame(block.cidr, cidr)) return exactBefore12(halfAround(block, cidr), cidr);
  if (block.halves !== undefined) return undefined;
  block.count = ALONE;
  return block;
}

function exactOrShared(block: Block, cidr: Cidr, owner: number): Block | undefined {
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

function walk(block: Block, length: number): Block | undefined {
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

function releaseIn(block: Block, cidr: Cidr): Block | undefined {
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

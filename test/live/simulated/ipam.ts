import { type Cidr, isAround, parseCidr, printAddress, printCidr, sizeOf } from './cidr.ts';
import { ALONE, type Block, blockOf, exactBefore12, exactOrShared, isSame, releaseIn, walk } from './ipam-tree.ts';

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

const numberOf = (address: string): number => cidrOf(`${address}/32`).base;

function cidrOf(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === undefined) throw new Error(`${text} is no network`);
  return cidr;
}

import { contains, overlaps, type Prefix } from '../../../base/net/prefix.ts';
import type { PrefixTrie } from './prefix-trie.ts';

/** Networks. A search through so many takes less time than the tries that they would need; most clusters have fewer. */
const MOST = 16;

interface Taken {
  readonly network: Prefix;
  readonly shared: boolean;
}

/**
 * The taken networks of an IPAM with few of them, as a list: it answers as tries would. The pools are disjoint, so that a
 * network lies in one of them or in none.
 */
export class FewNetworks {
  readonly #pools: readonly Prefix[];
  readonly #taken: Taken[] = [];

  constructor(pools: readonly Prefix[]) {
    this.#pools = pools;
  }

  get isFull(): boolean {
    return this.#taken.length >= MOST;
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

  /** Takes all of them in tries, one for each pool. */
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

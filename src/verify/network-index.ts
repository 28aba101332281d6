import { maskOf, type Prefix } from '../net/prefix.ts';

/** Networks that are taken, nested ones too; nothing is ever given back. Every answer takes at most one look a length. */
export class NetworkIndex {
  readonly #taken = new Set<number>();
  /** Every network with a taken one strictly inside. */
  readonly #around = new Set<number>();

  add(network: Prefix): void {
    this.#taken.add(keyOf(network));
    for (let length = network.length - 1; length >= 0; length--) {
      const around = keyOf({ base: (network.base & maskOf(length)) >>> 0, length });
      if (this.#around.has(around)) return;
      this.#around.add(around);
    }
  }

  /** True for a network that was added as such. */
  has(network: Prefix): boolean {
    return this.#taken.has(keyOf(network));
  }

  /** True when something smaller inside the network was added. */
  hasInside(network: Prefix): boolean {
    return this.#around.has(keyOf(network));
  }

  /** True when the network shares an address with one that was added. */
  touches(network: Prefix): boolean {
    if (this.hasInside(network)) return true;
    for (let length = network.length; length >= 0; length--) {
      if (this.has({ base: (network.base & maskOf(length)) >>> 0, length })) return true;
    }
    return false;
  }
}

/** One number a network: 33 lengths and 32 bits of address fit into the 53 bits that a number counts exactly. */
export const keyOf = ({ base, length }: Prefix): number => length * 2 ** 32 + base;

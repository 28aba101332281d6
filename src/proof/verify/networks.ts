import { maskOf, type Prefix } from '../../base/net/prefix.ts';

/** A network as text. It does not use the compiler's printer, so that verify does not share its mistakes. */
export const cidrText = ({ base, length }: Prefix): string => `${addressText(base)}/${length}`;

export const addressText = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

/** The offset of an address in its network. */
export const hostOf = (address: number, { length }: Prefix): number => (address & ~maskOf(length)) >>> 0;

/** Taken networks, which may be nested; none is ever released. Every query needs at most one lookup per length. */
export class NetworkIndex {
  readonly #taken = new Set<number>();
  /** Every network that strictly contains a taken one. */
  readonly #around = new Set<number>();

  add(network: Prefix): void {
    this.#taken.add(networkKey(network));
    for (let length = network.length - 1; length >= 0; length--) {
      const around = networkKey({ base: (network.base & maskOf(length)) >>> 0, length });
      if (this.#around.has(around)) return;
      this.#around.add(around);
    }
  }

  /** True for a network that was added itself. */
  has(network: Prefix): boolean {
    return this.#taken.has(networkKey(network));
  }

  /** True when a smaller network inside this one was added. */
  hasInside(network: Prefix): boolean {
    return this.#around.has(networkKey(network));
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

/** One number per network: 33 lengths and 32 bits of address fit into the 53 bits of an exact integer. */
export const networkKey = ({ base, length }: Prefix): number => length * 2 ** 32 + base;

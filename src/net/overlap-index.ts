import { type Prefix, prefixAround } from './prefix.ts';

/** Items by their network. A search takes as long for many items as for few. */
export class OverlapIndex<T> {
  /** The first item at each network, and the first one below each network that contains some. */
  readonly #at = new Map<number, Placed<T>>();
  readonly #below = new Map<number, Placed<T>>();
  #count = 0;

  add(prefix: Prefix, item: T): void {
    const placed = { item, place: this.#count++ };
    setOnce(this.#at, keyOf(prefix), placed);
    for (let length = prefix.length - 1; length >= 0; length--)
      setOnce(this.#below, keyOf(prefixAround(prefix.base, length)), placed);
  }

  /** The item with exactly this network that was added first. */
  same(prefix: Prefix): T | undefined {
    return this.#at.get(keyOf(prefix))?.item;
  }

  /** The item whose network shares an address with this one and that was added first. */
  first(prefix: Prefix): T | undefined {
    let found = this.#below.get(keyOf(prefix));
    for (let length = prefix.length; length >= 0; length--) {
      const around = this.#at.get(keyOf(prefixAround(prefix.base, length)));
      if (around !== undefined && (found === undefined || around.place < found.place)) found = around;
    }
    return found?.item;
  }
}

interface Placed<T> {
  readonly item: T;
  /** How many were added before. */
  readonly place: number;
}

/** Below 2 to the power of 38, so it is exact. */
const keyOf = ({ base, length }: Prefix): number => base * 64 + length;

function setOnce<T>(map: Map<number, Placed<T>>, key: number, placed: Placed<T>): void {
  if (!map.has(key)) map.set(key, placed);
}

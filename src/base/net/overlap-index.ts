import { numberOf, overlaps, type Prefix, prefixAround, samePrefix } from './prefix.ts';

/** The largest number of items that are searched one by one, which is faster than an index for so few. */
const FEW = 16;

/** Items by their network. The time of a search does not depend on their number. */
export class OverlapIndex<T> {
  /** The items in the order of their addition. */
  readonly #items: Placed<T>[] = [];
  #index: NetworkIndex<T> | undefined;

  add(prefix: Prefix, item: T): void {
    const placed = { prefix, item, place: this.#items.length };
    this.#items.push(placed);
    this.#index?.add(placed);
  }

  /** The first added item with exactly this network. */
  same(prefix: Prefix): T | undefined {
    const index = this.#indexed();
    return (index ? index.same(prefix) : this.#items.find((it) => samePrefix(it.prefix, prefix)))?.item;
  }

  /** The first added item whose network shares an address with this one. */
  first(prefix: Prefix): T | undefined {
    const index = this.#indexed();
    return (index ? index.first(prefix) : this.#items.find((it) => overlaps(it.prefix, prefix)))?.item;
  }

  #indexed(): NetworkIndex<T> | undefined {
    if (this.#index === undefined && this.#items.length > FEW) {
      this.#index = new NetworkIndex();
      for (const it of this.#items) this.#index.add(it);
    }
    return this.#index;
  }
}

interface Placed<T> {
  readonly prefix: Prefix;
  readonly item: T;
  /** The number of items added before. */
  readonly place: number;
}

class NetworkIndex<T> {
  /** The first item at each network, and the first one below each network that contains some. */
  readonly #at = new Map<number, Placed<T>>();
  readonly #below = new Map<number, Placed<T>>();

  add(placed: Placed<T>): void {
    const { base, length } = placed.prefix;
    if (!setOnce(this.#at, numberOf(placed.prefix), placed)) return;
    // An earlier item at or below a network is also below every wider one.
    for (let wider = length - 1; wider >= 0; wider--)
      if (!setOnce(this.#below, numberOf(prefixAround(base, wider)), placed)) return;
  }

  same(prefix: Prefix): Placed<T> | undefined {
    return this.#at.get(numberOf(prefix));
  }

  first(prefix: Prefix): Placed<T> | undefined {
    let found = this.#below.get(numberOf(prefix));
    for (let length = prefix.length; length >= 0; length--) {
      const around = this.#at.get(numberOf(prefixAround(prefix.base, length)));
      if (around !== undefined && (found === undefined || around.place < found.place)) found = around;
    }
    return found;
  }
}

/** Returns false if the key has an item already. */
function setOnce<T>(map: Map<number, Placed<T>>, key: number, placed: Placed<T>): boolean {
  if (map.has(key)) return false;
  map.set(key, placed);
  return true;
}

import { numberOf, overlaps, type Prefix, prefixAround, samePrefix } from './prefix.ts';

/** Items. So many are searched one by one in less time than an index of them takes to make; most clusters have fewer. */
const FEW = 16;

/** Items by their network. A search takes as long for many items as for few. */
export class OverlapIndex<T> {
  /** In the order in which they were added. */
  readonly #items: Placed<T>[] = [];
  #index: NetworkIndex<T> | undefined;

  add(prefix: Prefix, item: T): void {
    const placed = { prefix, item, place: this.#items.length };
    this.#items.push(placed);
    this.#index?.add(placed);
  }

  /** The item with exactly this network that was added first. */
  same(prefix: Prefix): T | undefined {
    const index = this.#indexed();
    return (index ? index.same(prefix) : this.#items.find((it) => samePrefix(it.prefix, prefix)))?.item;
  }

  /** The item whose network shares an address with this one and that was added first. */
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
  /** How many were added before. */
  readonly place: number;
}

class NetworkIndex<T> {
  /** The first item at each network, and the first one below each network that contains some. */
  readonly #at = new Map<number, Placed<T>>();
  readonly #below = new Map<number, Placed<T>>();

  add(placed: Placed<T>): void {
    const { base, length } = placed.prefix;
    if (!setOnce(this.#at, numberOf(placed.prefix), placed)) return;
    // Where an earlier item is at or below a network, it is also below every wider one.
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

/** `false` where the key has an item already. */
function setOnce<T>(map: Map<number, Placed<T>>, key: number, placed: Placed<T>): boolean {
  if (map.has(key)) return false;
  map.set(key, placed);
  return true;
}

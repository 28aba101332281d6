import { lastAddress, maskOf, numberOf, overlaps, type Prefix, prefixAround, samePrefix } from './prefix.ts';

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

/** A set of networks, which may be nested or equal. Overlaps are found in a few steps. */
export class AddressSet {
  /** First addresses of the members, by length. */
  readonly #members = new Map<number, Set<number>>();
  /** First addresses of every network of a length that contains a member, by length. */
  readonly #around = new Map<number, Set<number>>();

  add({ base, length }: Prefix): void {
    if (this.#members.get(length)?.has(base)) return;
    setOf(this.#members, length).add(base);
    for (let wider = length; wider >= 0; wider--) {
      const at = setOf(this.#around, wider);
      const around = (base & maskOf(wider)) >>> 0;
      if (at.has(around)) break; // Every wider one was already added with it.
      at.add(around);
    }
  }

  /** True when a member shares an address with the network. */
  overlaps(prefix: Prefix): boolean {
    return this.#around.get(prefix.length)?.has(prefix.base) === true || this.#insideMember(prefix);
  }

  /** True when one member covers every address from `first` to `last`. */
  covers(first: number, last: number): boolean {
    for (const [length, bases] of this.#members) {
      const base = (first & maskOf(length)) >>> 0;
      if (bases.has(base) && lastAddress({ base, length }) >= last) return true;
    }
    return false;
  }

  #insideMember({ base, length }: Prefix): boolean {
    for (const [wider, bases] of this.#members) {
      if (wider < length && bases.has((base & maskOf(wider)) >>> 0)) return true;
    }
    return false;
  }
}

function setOf(map: Map<number, Set<number>>, key: number): Set<number> {
  const known = map.get(key) ?? new Set<number>();
  map.set(key, known);
  return known;
}

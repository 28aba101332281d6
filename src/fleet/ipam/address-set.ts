import { lastAddress, maskOf, type Prefix } from '../../base/net/prefix.ts';

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

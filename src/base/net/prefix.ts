/**
 * An IPv4 network as two 32-bit integers. `base` is its first address (an unsigned 32-bit integer) with every host bit
 * zero, `length` the number of network bits, 0 to 32.
 */
export interface Prefix {
  readonly base: number;
  readonly length: number;
}

/** The network mask of a length as an unsigned 32-bit integer: 24 gives 0xffffff00. */
export function maskOf(length: number): number {
  // A shift by 32 is a shift by 0 in JavaScript, so length 0 is a case of its own.
  return length === 0 ? 0 : (0xffffffff << (32 - length)) >>> 0;
}

/** The network of that length around an address; host bits of the address are dropped. */
export function prefixAround(address: number, length: number): Prefix {
  return { base: (address & maskOf(length)) >>> 0, length };
}

/** A network as one number, for keys of maps; exact, because it is below 2 to the power of 38. */
export const numberOf = ({ base, length }: Prefix): number => base * 64 + length;

export function samePrefix(a: Prefix, b: Prefix): boolean {
  return a.base === b.base && a.length === b.length;
}

/** True when every address of `inner` lies in `outer`; a prefix contains itself. */
export function contains(outer: Prefix, inner: Prefix): boolean {
  return inner.length >= outer.length && (inner.base & maskOf(outer.length)) >>> 0 === outer.base;
}

export function containsAddress(prefix: Prefix, address: number): boolean {
  return (address & maskOf(prefix.length)) >>> 0 === prefix.base;
}

/** True when the two share an address: one of them contains the other. */
export function overlaps(a: Prefix, b: Prefix): boolean {
  return a.length <= b.length ? contains(a, b) : contains(b, a);
}

export function lastAddress(prefix: Prefix): number {
  return (prefix.base | ~maskOf(prefix.length)) >>> 0;
}

/** The number of addresses, including network and broadcast address. */
export const addressCount = (prefix: Prefix): number => 2 ** (32 - prefix.length);

/** Orders by first address, then the wider one first. */
export function comparePrefixes(a: Prefix, b: Prefix): number {
  return a.base - b.base || a.length - b.length;
}

/** Moves a host to another network of equal length, like Liqo's prefix NAT: host bits are kept. */
export function moveHost(address: number, to: Prefix): number {
  return (to.base | (address & ~maskOf(to.length))) >>> 0;
}

/** The fewest networks with exactly the addresses of these, in order. */
export function fewestNetworks(networks: Iterable<Prefix>): readonly Prefix[] {
  const kept: Prefix[] = [];
  for (const it of [...networks].sort(comparePrefixes)) {
    const last = kept.at(-1);
    if (last !== undefined && contains(last, it)) continue;
    let whole = it;
    for (let half = kept.at(-1); half !== undefined && areHalves(half, whole); half = kept.at(-1)) {
      kept.pop();
      whole = { base: half.base, length: half.length - 1 };
    }
    kept.push(whole);
  }
  return kept;
}

/** True for the lower and the upper half of one network. */
const areHalves = (lower: Prefix, upper: Prefix): boolean =>
  lower.length === upper.length &&
  lower.length > 0 &&
  upper.base === lower.base + addressCount(lower) &&
  prefixAround(upper.base, upper.length - 1).base === lower.base;

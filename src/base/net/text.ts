import { IPv4Mask, IPv6, IPv6Prefix, RangedSet, Validator } from 'ip-num';
import { type Prefix, prefixAround } from './prefix.ts';

/** The number of cached results; a large fleet has far fewer distinct networks. */
const MOST_RESULTS = 50_000;

/** Caches the results of a pure function, for texts that a fleet often repeats. */
function memoize<Argument extends string | number, Result>(
  compute: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const known = new Map<Argument, Result>();
  return (argument) => {
    const old = known.get(argument);
    if (old !== undefined) return old;
    if (known.size >= MOST_RESULTS) known.clear();
    const fresh = compute(argument);
    known.set(argument, fresh);
    return fresh;
  };
}

/** The reason why a text is not a network that weft can use. */
export type PrefixProblem =
  | { readonly kind: 'ipv6' }
  | { readonly kind: 'host-bits'; readonly network: Prefix }
  | { readonly kind: 'no-length' }
  | { readonly kind: 'not-a-cidr' };

type PrefixReading =
  | { readonly ok: true; readonly prefix: Prefix }
  | { readonly ok: false; readonly problem: PrefixProblem };

const prefixProblem = (it: PrefixProblem): PrefixReading => ({ ok: false, problem: it });

/** The maximum of characters, also with a zone and a length; ip-num is slow for long texts. */
const LONGEST = 100;

/**
 * Reads a network in a file of the user: `10.200.0.0/16`. ip-num parses address and length. Liqo also requires IPv4, no
 * host bits, and the canonical form.
 */
export const readPrefix = memoize((text: string): PrefixReading => {
  const [addressText = '', lengthText, ...more] = text.split('/');
  const address = more.length === 0 ? readAddress(addressText) : undefined;
  if (address === undefined) return prefixProblem({ kind: isIPv6(text) ? 'ipv6' : 'not-a-cidr' });
  if (lengthText === undefined) return prefixProblem({ kind: 'no-length' });
  if (!CANONICAL_LENGTH.test(lengthText) || !Validator.isValidIPv4CidrNotation(text)[0])
    return prefixProblem({ kind: 'not-a-cidr' });
  const prefix = prefixAround(address, Number(lengthText));
  return prefix.base === address ? { ok: true, prefix } : prefixProblem({ kind: 'host-bits', network: prefix });
});

const CANONICAL_LENGTH = /^(?:0|[1-9]\d{0,2})$/;

/** Reads an IPv4 address in a file of the user as an unsigned 32-bit integer; `undefined` for any other text. */
export const readAddress = (text: string): number | undefined =>
  text.length <= LONGEST && Validator.isValidIPv4String(text)[0] ? readPrintedAddress(text) : undefined;

/** The length of a netmask, `255.255.0.0`; `undefined` for any other text. */
export const readNetmask = (text: string): number | undefined =>
  readByIpNum(text, (it) => Number(new IPv4Mask(it).prefix));

/** The network with exactly the addresses from the first to the last one; `undefined` without one. */
export const readRange = (first: string, last: string): Prefix | undefined =>
  readByIpNum(`${first}-${last}`, (it) => prefixOf(RangedSet.fromRangeString(it).toCidrRange().toCidrString()));

/** True for an IPv6 address or network. */
export function isIPv6(text: string): boolean {
  const [address = '', length = '0', ...more] = text.split('/');
  if (more.length > 0 || !address.includes(':') || !CANONICAL_LENGTH.test(length)) return false;
  return readByIpNum(address, (it) => [new IPv6(it), new IPv6Prefix(BigInt(length))]) !== undefined;
}

/** Calls ip-num; `undefined` if it throws because it cannot read the text. */
function readByIpNum<T>(text: string, read: (text: string) => T): T | undefined {
  if (text.length > LONGEST) return undefined;
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

const [DOT, ZERO] = ['.'.charCodeAt(0), '0'.charCodeAt(0)];

/**
 * Reads an address as weft prints it; `undefined` for any other text. For files of weft: a fleet contains a hundred
 * thousand addresses, and ip-num takes many times as long. A test compares the two.
 */
export function readPrintedAddress(text: string): number | undefined {
  let [address, octet, digits, dots] = [0, 0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (digits === 0) return undefined;
      address = address * 256 + octet;
      [octet, digits] = [0, 0];
      dots++;
    } else {
      const digit = code - ZERO;
      if (digit < 0 || digit > 9 || (digits > 0 && octet === 0)) return undefined;
      octet = octet * 10 + digit;
      if (octet > 255) return undefined;
      digits++;
    }
  }
  return dots === 3 && digits > 0 ? address * 256 + octet : undefined;
}

/** Reads a network as weft prints it; `undefined` for any other text. */
export const readPrintedPrefix = memoize((text: string): Prefix | undefined => {
  const slash = text.lastIndexOf('/');
  const address = readPrintedAddress(text.slice(0, Math.max(0, slash)));
  if (address === undefined || !PRINTED_LENGTH.test(text.slice(slash + 1))) return undefined;
  const prefix = prefixAround(address, Number(text.slice(slash + 1)));
  return prefix.base === address ? prefix : undefined;
});

const PRINTED_LENGTH = /^(?:\d|[12]\d|3[0-2])$/;

/** Reads a network that an earlier stage has checked. Throws on anything else. */
export function prefixOf(text: string): Prefix {
  const prefix = readPrintedPrefix(text);
  if (prefix === undefined) throw new RangeError(`"${text}" is not a canonical IPv4 network`);
  return prefix;
}

/** Prints an address, 80 times as fast as ip-num. A test compares the two. */
export function printAddress(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}

export function printPrefix(prefix: Prefix): string {
  return `${printAddress(prefix.base)}/${prefix.length}`;
}

/**
 * `10.60.0.?` for an address of 10.60.0.0/16 that is only known at run time. Liqo assigns the addresses of an external
 * CIDR from its start, so that the first few hundred look like this; the network itself is printed next to it.
 */
export const symbolicAddress = (network: Prefix): string => printAddress(network.base).replace(/\d+$/, '?');

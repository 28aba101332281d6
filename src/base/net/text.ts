import { IPv4 } from 'ip-num';
import { type Prefix, prefixAround } from './prefix.ts';

/** How many results are kept; the distinct networks of a large fleet are far fewer. */
const MOST_RESULTS = 50_000;

/** A pure function that keeps its results, for texts that a fleet repeats often. */
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

/** Why a text is not a network that weft can use. */
export type PrefixProblem =
  | { readonly kind: 'ipv6' }
  | { readonly kind: 'host-bits'; readonly network: Prefix }
  | { readonly kind: 'no-length' }
  | { readonly kind: 'not-a-cidr' };

type PrefixReading =
  | { readonly ok: true; readonly prefix: Prefix }
  | { readonly ok: false; readonly problem: PrefixProblem };

const prefixProblem = (it: PrefixProblem): PrefixReading => ({ ok: false, problem: it });

/** Reads `10.200.0.0/16`. Canonical text only: no host bits, no leading zeros, no spaces. */
export const readPrefix = memoize((text: string): PrefixReading => {
  const [, addressText = text, lengthText] = /^([\d.]+)\/(0|[1-9]\d?)$/.exec(text) ?? [];
  const address = readAddress(addressText);
  if (address === undefined) return prefixProblem({ kind: looksLikeIPv6(text) ? 'ipv6' : 'not-a-cidr' });
  if (lengthText === undefined) return prefixProblem({ kind: 'no-length' });
  const length = Number(lengthText);
  if (length > 32) return prefixProblem({ kind: 'not-a-cidr' });
  const prefix = prefixAround(address, length);
  return prefix.base === address ? { ok: true, prefix } : prefixProblem({ kind: 'host-bits', network: prefix });
});

/** Reads one IPv4 address into an unsigned 32-bit integer; `undefined` for anything else. */
export function readAddress(text: string): number | undefined {
  const plain = readPlainAddress(text);
  if (plain !== undefined || !/^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(text)) return plain;
  try {
    return Number(IPv4.fromString(text).getValue());
  } catch {
    return undefined; // ip-num throws on an octet that is too large or has a leading zero.
  }
}

const [DOT, ZERO] = ['.'.charCodeAt(0), '0'.charCodeAt(0)];

/**
 * An address as `printAddress` prints it; `undefined` for any other text. A fleet contains a hundred thousand of them, and ip-num,
 * which computes with big integers, takes 15 times as long. A test compares the two.
 */
function readPlainAddress(text: string): number | undefined {
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

export function looksLikeIPv6(text: string): boolean {
  return /^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%\w+)?(\/\d+)?$/.test(text) && (text.match(/:/g) ?? []).length >= 2;
}

/** Reads a network that an earlier stage has checked. Throws on anything else. */
export function prefixOf(text: string): Prefix {
  const reading = readPrefix(text);
  if (!reading.ok) throw new RangeError(`"${text}" is not a canonical IPv4 network`);
  return reading.prefix;
}

/** With shifts: ip-num takes 80 times as long to print one. A test compares the two. */
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

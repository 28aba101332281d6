import { IPv4 } from 'ip-num';
import { memoize } from './memoize.ts';
import { type Prefix, prefixAround } from './prefix.ts';

/** Why a text is not a network that weft can use. */
export type PrefixProblem =
  | { readonly kind: 'ipv6' }
  | { readonly kind: 'host-bits'; readonly network: Prefix }
  | { readonly kind: 'no-length' }
  | { readonly kind: 'not-a-cidr' };

type PrefixReading =
  | { readonly ok: true; readonly prefix: Prefix }
  | { readonly ok: false; readonly problem: PrefixProblem };

const problem = (it: PrefixProblem): PrefixReading => ({ ok: false, problem: it });

/** Reads `10.200.0.0/16`. Canonical text only: no host bits, no leading zeros, no spaces. */
export const readPrefix = memoize((text: string): PrefixReading => {
  if (looksLikeIPv6(text)) return problem({ kind: 'ipv6' });
  const [, addressText = text, lengthText] = /^([\d.]+)\/(0|[1-9]\d?)$/.exec(text) ?? [];
  const address = readAddress(addressText);
  if (address === undefined) return problem({ kind: 'not-a-cidr' });
  if (lengthText === undefined) return problem({ kind: 'no-length' });
  const length = Number(lengthText);
  if (length > 32) return problem({ kind: 'not-a-cidr' });
  const prefix = prefixAround(address, length);
  return prefix.base === address ? { ok: true, prefix } : problem({ kind: 'host-bits', network: prefix });
});

/** Reads one IPv4 address into an unsigned 32-bit integer; `undefined` for anything else. */
export const readAddress = memoize((text: string): number | undefined => {
  if (!/^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(text)) return undefined;
  try {
    return Number(IPv4.fromString(text).getValue());
  } catch {
    return undefined; // ip-num throws on an octet that is too large or has a leading zero.
  }
});

export function looksLikeIPv6(text: string): boolean {
  return /^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%\w+)?(\/\d+)?$/.test(text) && (text.match(/:/g) ?? []).length >= 2;
}

/** Reads a network that an earlier stage has checked. Throws on anything else. */
export function prefixOf(text: string): Prefix {
  const reading = readPrefix(text);
  if (!reading.ok) throw new RangeError(`"${text}" is not a canonical IPv4 network`);
  return reading.prefix;
}

/** With shifts: ip-num, which reads addresses here, takes 80 times as long to print one. A test compares the two. */
export function printAddress(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}

export function printPrefix(prefix: Prefix): string {
  return `${printAddress(prefix.base)}/${prefix.length}`;
}

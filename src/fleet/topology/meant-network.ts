import { lastAddress, maskOf, type Prefix, prefixAround } from '../../base/net/prefix.ts';
import { printPrefix, readAddress, readPrefix } from '../../base/net/text.ts';

/**
 * The network that is meant by what is no CIDR: with a netmask, as a range of addresses, with its last zeros left out, or with
 * letters that look like digits. `undefined` for anything else.
 */
export function meantNetwork(text: string): string | undefined {
  const digits = text.trim().replace(/o/gi, '0').replace(/[lI]/g, '1');
  const network = withMask(digits) ?? ofRange(digits) ?? plain(withZeros(digits));
  return network === undefined ? undefined : printPrefix(network);
}

/** `10.202.0.0/255.255.0.0`. */
function withMask(text: string): Prefix | undefined {
  const [, first = '', second = ''] = /^([\d.]+) *[/ ] *([\d.]+)$/.exec(text) ?? [];
  const [address, mask] = [readAddress(first), readAddress(second)];
  const length = LENGTHS.find((it) => maskOf(it) === mask);
  return address === undefined || length === undefined ? undefined : prefixAround(address, length);
}

/** `10.202.0.0-10.202.255.255`, if it is all of one network. */
function ofRange(text: string): Prefix | undefined {
  const [, first = '', second = ''] = /^([\d.]+) *(?:-|\.\.\.?) *(\d[\d.]+)$/.exec(text) ?? [];
  const [from, to] = [readAddress(first), readAddress(second)];
  if (from === undefined) return undefined;
  return LENGTHS.map((it) => prefixAround(from, it)).find((it) => it.base === from && lastAddress(it) === to);
}

const LENGTHS = Array.from({ length: 33 }, (_, length) => length);

/** `10.202/16`. */
const withZeros = (text: string): string =>
  text.replace(/^(\d+(?:\.\d+){0,2})(?=\/\d+$)/, (octets) => [...octets.split('.'), 0, 0, 0].slice(0, 4).join('.'));

function plain(text: string): Prefix | undefined {
  const reading = readPrefix(text);
  if (reading.ok) return reading.prefix;
  return reading.problem.kind === 'host-bits' ? reading.problem.network : undefined;
}

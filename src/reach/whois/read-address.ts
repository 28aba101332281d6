import { looksLikeIPv6, readAddress } from '../../base/net/text.ts';

type AddressReading =
  | { readonly ok: true; readonly address: number }
  /** `hint`: a command that would be answered; `null` when the text suggests none. */
  | { readonly ok: false; readonly problem: string; readonly hint: string | null };

/** Reads the argument of `weft whois`: one IPv4 address and nothing else. */
export function readWhoisAddress(text: string): AddressReading {
  const address = readAddress(text);
  if (address !== undefined) return { ok: true, address };
  const [before = '', behind = '', ...more] = text.split('/');
  if (more.length === 0 && before !== '' && readAddress(behind) !== undefined) {
    return problem(`"${text}" is an address in a cluster`, `run "weft whois ${behind} --in ${before}"`);
  }
  if (readAddress(before) !== undefined) {
    return problem(`"${text}" is a network, and one address is needed`, `run "weft whois ${before}"`);
  }
  if (looksLikeIPv6(text)) return problem(`"${text}" is IPv6, which Liqo does not carry`);
  const [, plain = ''] = /^(.*):\d+$/.exec(text) ?? [];
  if (readAddress(plain) !== undefined) {
    return problem(`"${text}" has a port, and only an address is needed`, `run "weft whois ${plain}"`);
  }
  return problem(`"${text}" is not an IPv4 address`);
}

const problem = (it: string, hint: string | null = null): AddressReading => ({ ok: false, problem: it, hint });

import { readAddress } from '../../base/net/text.ts';
import type { TraceTo } from './trace-request.ts';

type EndReading = { readonly ok: true; readonly end: TraceTo } | { readonly ok: false; readonly problem: string };

/** Reads `rome`, `rome/10.202.0.5` or `10.61.0.151`, each optionally followed by `:8080`. */
export function readEnd(text: string): EndReading {
  const [, name = '', portText] = /^(.*?)(?::(\d{1,6}))?$/.exec(text) ?? [];
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && (port < 1 || port > 65535))
    return problem(`${portText} is not a port: ports are between 1 and 65535`);
  if (name.includes(':')) return problem(`"${text}" is neither a cluster nor an IPv4 address`);
  const [before = '', behind, ...more] = name.split('/');
  if (more.length > 0) return problem(`"${text}" has more than one "/"`);
  if (behind === undefined) {
    const address = readAddress(before);
    if (address !== undefined) return end({ kind: 'address', address, port });
    if (/^[\d.]+$/.test(before) && before.includes('.')) return problem(`"${before}" is not an IPv4 address`);
    if (before === '') return problem('a cluster is missing');
    return end({ kind: 'cluster', cluster: before, address: null, port });
  }
  if (readAddress(before) !== undefined) return problem(`"${text}" is a network; one address is needed`);
  const address = readAddress(behind);
  if (address === undefined) return problem(`"${behind}" is not an IPv4 address`);
  return end({ kind: 'cluster', cluster: before, address, port });
}

const end = (it: TraceTo): EndReading => ({ ok: true, end: it });

const problem = (it: string): EndReading => ({ ok: false, problem: it });

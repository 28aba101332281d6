import { readAddress, readPrefix } from '../../base/net/text.ts';

type SourceReading =
  | { readonly ok: true; readonly cluster: string; readonly network: string }
  | { readonly ok: false; readonly problem: string };

/** Reads `rome=198.51.100.7` or `rome=198.51.100.0/28`: an address or network from which packets of a cluster come. */
export function readSource(text: string): SourceReading {
  const [, cluster, network] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (cluster === undefined || network === undefined) return { ok: false, problem: `"${text}" names no cluster` };
  if (readAddress(network) !== undefined) return { ok: true, cluster, network };
  const reading = readPrefix(network);
  if (reading.ok) return { ok: true, cluster, network };
  const hostBits = reading.problem.kind === 'host-bits' ? ', because it has host bits' : '';
  return { ok: false, problem: `"${network}" is not an IPv4 address or network${hostBits}` };
}

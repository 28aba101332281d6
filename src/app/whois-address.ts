import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { clusterNamed } from '../ipam/cluster-named.ts';
import { type Whois, whois } from '../whois/whois.ts';
import { compileTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import type { FileReader } from './ports.ts';

interface WhoisRequest extends TopologyRequest {
  /** An unsigned 32-bit integer. */
  readonly address: number;
  /** The cluster whose point of view is wanted; `undefined` for that of each. */
  readonly within: string | undefined;
}

type WhoisResult =
  | Unanswered
  | { readonly kind: 'found'; readonly diagnostics: readonly Diagnostic[]; readonly whois: Whois };

/** Whose an address is in the compiled network. */
export async function whoisAddress(files: FileReader, request: WhoisRequest): Promise<WhoisResult> {
  const { address, within } = request;
  const clusters = within === undefined ? [] : [within];
  const topology = await compileTopology(files, request, { only: [], clusters, withoutAssertions: true });
  if (topology.kind !== 'compiled') return topology;
  const { model } = topology.compiled;
  const viewer = within === undefined ? null : clusterNamed(model, within);
  return { kind: 'found', diagnostics: topology.diagnostics, whois: whois(model, address, viewer) };
}

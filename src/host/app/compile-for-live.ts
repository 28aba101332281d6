import { type CompiledTopology, compileTopology, type TopologyRequest } from './compile-topology.ts';
import type { LiveRequest } from './live-request.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';

/** The topology that live clusters are compared with: there are some, and it has each that is named. */
export async function compileForLive(
  files: FileReader,
  request: TopologyRequest & LiveRequest,
): Promise<CompiledTopology | { readonly kind: 'refused'; readonly refusal: Refusal }> {
  const { dumps, contexts } = request;
  if (dumps.length + contexts.length === 0)
    return { kind: 'refused', refusal: { kind: 'no-live-cluster', command: 'drift' } };
  const clusters = [...dumps.flatMap((it) => it.cluster ?? []), ...contexts.map((it) => it.cluster)];
  return compileTopology(files, request, { only: null, clusters, withoutAssertions: true });
}

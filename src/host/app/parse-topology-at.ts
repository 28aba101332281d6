import { andThen } from '../../base/diagnostics/outcome.ts';
import { parseTopology } from '../../fleet/topology/parse-topology.ts';
import type { TopologyDocument } from '../../fleet/topology/topology-document.ts';
import type { TextReader } from './ports.ts';
import { readIncluded } from './read-included.ts';

/** The topology at a path with what it includes; `undefined` where there is none, and for one with mistakes. */
export async function parseTopologyAt(reader: TextReader, path: string): Promise<TopologyDocument | undefined> {
  const read = await reader.readText(path);
  if (read.kind !== 'ok') return undefined;
  const topology = { path, text: read.text };
  const parsed = andThen(await readIncluded(reader, topology), (included) => parseTopology(topology, included));
  return parsed.ok ? parsed.value : undefined;
}

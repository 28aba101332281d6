import { join } from 'node:path';
import { andThen } from '../diagnostics/outcome.ts';
import { checkTopology } from '../topology/check-topology.ts';
import { parseTopology } from '../topology/parse-topology.ts';
import { isTopologyName, TOPOLOGIES } from './find-topology.ts';
import type { FileReader } from './ports.ts';

/** The clusters of all topologies below a folder that are not retired; those of a topology with mistakes are not known. */
export async function clustersInUse(files: FileReader, folder: string): Promise<readonly string[]> {
  const around = join(folder, TOPOLOGIES);
  const names = (await files.namesIn(around)) ?? [];
  const clusters: string[] = [];
  for (const name of names.filter(isTopologyName)) {
    const path = join(around, name);
    const read = await files.readText(path);
    if (read.kind !== 'ok') continue;
    const checked = andThen(parseTopology({ path, text: read.text }), checkTopology);
    if (checked.ok) clusters.push(...checked.value.clusters.filter((it) => !it.retired).map((it) => it.name));
  }
  return clusters;
}

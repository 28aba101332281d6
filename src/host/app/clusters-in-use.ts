import { join } from 'node:path';
import { checkTopology } from '../../fleet/topology/check-topology.ts';
import { isTopologyName, TOPOLOGIES } from './find-topology.ts';
import { parseTopologyAt } from './parse-topology-at.ts';
import type { FileReader } from './ports.ts';

/** The clusters of all topologies below a folder that are not retired; those of a topology with mistakes are not known. */
export async function clustersInUse(files: FileReader, folder: string): Promise<readonly string[]> {
  const around = join(folder, TOPOLOGIES);
  const names = (await files.namesIn(around)) ?? [];
  const clusters: string[] = [];
  for (const name of names.filter(isTopologyName)) {
    const document = await parseTopologyAt(files, join(around, name));
    const checked = document && checkTopology(document);
    if (checked?.ok) clusters.push(...checked.value.clusters.filter((it) => !it.retired).map((it) => it.name));
  }
  return clusters;
}

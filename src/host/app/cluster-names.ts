import { join } from 'node:path';
import { readDocument } from '../../base/source/read-document.ts';
import type { Source } from '../../base/source/source.ts';
import { checkTopology } from '../../fleet/topology/check-topology.ts';
import { findTopology, isTopologyName, TOPOLOGIES } from './find-topology.ts';
import type { FileReader } from './ports.ts';
import { parseTopologyAt, readIncluded } from './read-sources.ts';
import { OperationRefused } from './refusal.ts';

/** Matches valid cluster names, as in the schema of the topology. Shells would expand other keys. */
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * The cluster names of a topology and its included files as they are written, for shell completion. Nothing is checked; a
 * file that is missing or cannot be read contributes no names.
 */
export async function clusterNames(files: FileReader, topology: string | undefined): Promise<readonly string[]> {
  const source = await topologySourceAt(files, topology);
  if (source === undefined) return [];
  const included = await readIncluded(files, source);
  return [source, ...(included.ok ? included.value : [])].flatMap(clusterNamesIn).filter((it) => NAME.test(it));
}

async function topologySourceAt(files: FileReader, topology: string | undefined): Promise<Source | undefined> {
  try {
    const { topology: path } = await findTopology(files, topology, undefined);
    const read = await files.readText(path);
    return read.kind === 'ok' ? { path, text: read.text } : undefined;
  } catch (error) {
    if (error instanceof OperationRefused) return undefined;
    throw error;
  }
}

function clusterNamesIn(source: Source): readonly string[] {
  const read = readDocument(source, { language: 'yaml' });
  const clusters = read.ok ? read.root.entries.get('clusters')?.value : undefined;
  return clusters?.kind === 'map' ? [...clusters.entries.keys()] : [];
}

/** The clusters of all topologies below a folder that are not retired. A topology with errors contributes none. */
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

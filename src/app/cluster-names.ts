import { readDocument } from '../source/read-document.ts';
import { findTopology } from './find-topology.ts';
import { OperationRefused } from './operation-refused.ts';
import type { FileReader } from './ports.ts';

/** As the schema of the topology has it. Shells expand what else may be a key. */
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * The clusters of a topology as they are written, for shells: nothing is checked, and a topology that is missing or cannot be
 * read has none.
 */
export async function clusterNames(files: FileReader, topology: string | undefined): Promise<readonly string[]> {
  const text = await textOf(files, topology);
  const read = text === undefined ? undefined : readDocument({ path: '', text }, { language: 'yaml' });
  const clusters = read?.ok ? read.root.entries.get('clusters')?.value : undefined;
  return clusters?.kind === 'map' ? [...clusters.entries.keys()].filter((it) => NAME.test(it)) : [];
}

async function textOf(files: FileReader, topology: string | undefined): Promise<string | undefined> {
  try {
    const read = await files.readText((await findTopology(files, topology, undefined)).topology);
    return read.kind === 'ok' ? read.text : undefined;
  } catch (error) {
    if (error instanceof OperationRefused) return undefined;
    throw error;
  }
}

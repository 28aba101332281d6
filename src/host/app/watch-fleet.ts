import { basename, dirname, join } from 'node:path';
import { rememberLast } from '../../base/source/source.ts';
import { bundleMemory } from '../../bundle/emit/emit-bundle.ts';
import { type CompileOptions, READERS } from '../../compile.ts';
import { lockMemory } from '../../fleet/ipam/next-lock.ts';
import { includesOf, isFolder, isIncludedName } from '../../fleet/topology/includes-of.ts';
import type { TopologyFiles } from './find-topology.ts';
import type { TextReader } from './ports.ts';

/** True when a change of a file or folder with that name matters. */
type Matters = (name: string) => boolean;

/**
 * The folders whose changes affect the compiled topologies, by path as the user types it. Every folder on the way to an
 * included file is one of them, even when it is missing, because it may be created.
 */
export async function watchedFolders(
  reader: TextReader,
  topologies: readonly TopologyFiles[],
): Promise<ReadonlyMap<string, Matters>> {
  const rules = new Map<string, Matters[]>();
  const watch = (folder: string, matters: Matters): void => {
    rules.set(folder, [...(rules.get(folder) ?? []), matters]);
  };
  for (const { topology, keys } of topologies) {
    const own = dirname(topology);
    const names = [basename(topology), basename(keys)];
    watch(own, (it) => names.includes(it));
    const read = await reader.readText(topology);
    for (const { value } of read.kind === 'ok' ? includesOf({ path: topology, text: read.text }) : []) {
      const steps = value.split('/').filter((it) => it !== '');
      for (const [i, step] of steps.entries()) watch(join(own, ...steps.slice(0, i)), (it) => it === step);
      if (isFolder(value)) watch(join(own, ...steps), isIncludedName);
    }
  }
  return new Map([...rules].map(([folder, them]) => [folder, (name) => them.some((it) => it(name))]));
}

/** The caches of a process that compiles the same topologies repeatedly. */
export type RebuildMemory = Required<Pick<CompileOptions, 'readers' | 'emit' | 'lockOf'>>;

export const rebuildMemory = (): RebuildMemory => ({
  // An edit seldom changes more than one file.
  readers: {
    topology: rememberLast(READERS.topology),
    keys: rememberLast(READERS.keys),
    identities: rememberLast(READERS.identities),
    lock: rememberLast(READERS.lock),
  },
  emit: bundleMemory(),
  lockOf: lockMemory(),
});

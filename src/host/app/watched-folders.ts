import { basename, dirname, join } from 'node:path';
import { includesOf, isFolder, isIncludedName } from '../../fleet/topology/includes-of.ts';
import type { TopologyFiles } from './find-topology.ts';
import type { TextReader } from './ports.ts';

/** Whether a change of a file or folder of that name matters. */
type Matters = (name: string) => boolean;

/**
 * The folders whose changes change what some topologies compile to, by path as the user types it. A folder on the way to what
 * is included is one of them, also where it is missing, because it may appear.
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

import { type Compiled, compile, type Sources } from '../../compile.ts';
import type { TopologyFiles } from './find-topology.ts';
import type { BaseReader } from './open-base.ts';
import { readSourcesIfThere } from './read-sources.ts';

/** The topology of a base and the files beside it; `undefined` without a topology, and for one that is not text. */
export async function sourcesThen(reader: BaseReader, files: TopologyFiles): Promise<Sources | undefined> {
  const sources = await readSourcesIfThere(reader, files);
  return sources?.ok ? sources.value : undefined;
}

/** `undefined` also for a topology that has errors: then the files alone are the base. */
export function compileThen(sources: Sources | undefined): Compiled | undefined {
  const compiled = sources && compile(sources, { relock: [], only: null });
  return compiled?.ok ? compiled.value : undefined;
}

import { rememberLast } from '../../base/source/remember-last.ts';
import { bundleMemory } from '../../bundle/emit/bundle-memory.ts';
import { type CompileOptions, READERS } from '../../compile.ts';
import { lockMemory } from '../../fleet/ipam/lock-memory.ts';

/** What a process that compiles the same topologies again and again keeps of the last time. */
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

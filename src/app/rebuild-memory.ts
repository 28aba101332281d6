import { READERS, type Readers } from '../compile.ts';
import { rememberLast } from '../source/remember-last.ts';

/** What a process that compiles the same topologies again and again keeps of the last time. */
export interface RebuildMemory {
  /** An edit seldom changes more than one file. */
  readonly readers: Readers;
}

export const rebuildMemory = (): RebuildMemory => ({
  readers: {
    topology: rememberLast(READERS.topology),
    keys: rememberLast(READERS.keys),
    identities: rememberLast(READERS.identities),
    lock: rememberLast(READERS.lock),
  },
});

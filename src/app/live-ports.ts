import { resolve } from 'node:path';
import { LARGEST_DUMP_BYTES, type ReadResult, readTextFile } from '../disk/read-text-file.ts';
import { type ListRequest, type ListResult, listObjects } from '../kubectl/list-objects.ts';

/** The environment of use cases that look at live clusters. They only read. */
export interface LivePorts {
  /** A dump on disk. */
  readonly readDump: (path: string) => Promise<ReadResult>;
  /** A dump that is piped in; may be called once. */
  readonly readPipedDump: () => Promise<ReadResult>;
  /** The objects of one kind in a cluster. */
  readonly list: (request: ListRequest) => Promise<ListResult>;
}

interface Process {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: { readonly read: (limitBytes?: number) => Promise<ReadResult> };
}

/** Files and stdin as dumps, and the user's kubectl. */
export const livePorts = ({ cwd, env, stdin }: Process): LivePorts => ({
  readDump: (path) => readTextFile(resolve(cwd, path), cwd, LARGEST_DUMP_BYTES),
  readPipedDump: () => stdin.read(LARGEST_DUMP_BYTES),
  list: (request) => listObjects({ cwd, env }, request),
});

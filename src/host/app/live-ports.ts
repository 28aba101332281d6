import { resolve } from 'node:path';
import { type FolderListing, listFolder } from '../disk/list-folder.ts';
import { LARGEST_DUMP_BYTES, type ReadResult, readTextFile } from '../disk/read-text-file.ts';
import { type ListRequest, type ListResult, listObjects } from '../kubectl/list-objects.ts';

/** Functions with which use cases read live clusters. They only read. */
export interface LivePorts {
  /** Reads a dump on disk. */
  readonly readDump: (path: string) => Promise<ReadResult>;
  /** Lists the files below a folder. */
  readonly listFolder: (path: string, isWanted: (path: string) => boolean) => Promise<FolderListing>;
  /** Reads a dump from stdin; repeated calls return the same one. */
  readonly readPipedDump: () => Promise<ReadResult>;
  /** Lists the objects of one kind in a cluster. */
  readonly list: (request: ListRequest) => Promise<ListResult>;
}

interface Process {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: { readonly read: (limitBytes?: number) => Promise<ReadResult> };
}

/** Dumps from files and stdin, and the user's kubectl. */
export function livePorts({ cwd, env, stdin }: Process): LivePorts {
  let piped: Promise<ReadResult> | undefined;
  return {
    readDump: (path) => readTextFile(resolve(cwd, path), cwd, LARGEST_DUMP_BYTES),
    listFolder: (path, isWanted) => listFolder(resolve(cwd, path), isWanted),
    readPipedDump: () => {
      piped ??= stdin.read(LARGEST_DUMP_BYTES);
      return piped;
    },
    list: (request) => listObjects({ cwd, env }, request),
  };
}

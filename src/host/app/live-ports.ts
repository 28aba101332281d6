import { resolve } from 'node:path';
import { type FolderListing, listFolder } from '../disk/list-folder.ts';
import { LARGEST_DUMP_BYTES, type ReadResult, readTextFile } from '../disk/read-text-file.ts';
import { type ListRequest, type ListResult, listObjects } from '../kubectl/list-objects.ts';

/** The environment of use cases that look at live clusters. They only read. */
export interface LivePorts {
  /** A dump on disk. */
  readonly readDump: (path: string) => Promise<ReadResult>;
  /** Files below a folder. */
  readonly listFolder: (path: string, isWanted: (path: string) => boolean) => Promise<FolderListing>;
  /** A dump that is piped in; the same one each time. */
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

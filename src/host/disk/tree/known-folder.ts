import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parseBundlePath } from '../../../base/core/bundle-path.ts';
import { isGenerated, isShared } from '../../../base/core/shared-files.ts';
import type { BundleRecord } from './bundle-record.ts';
import type { Journal } from './journal.ts';

/** What weft knows of the files that it wrote in one folder below root. */
export interface KnownFolder {
  /** All files that weft may have written, there or not, some of them more than once; without `rows` where it knows just those. */
  readonly pathsBeside: (rows: BundleRecord) => Iterable<string>;
  /** Whether a record or the journal names the file. */
  readonly isListed: (path: string) => boolean;
  /** Whether weft wrote the file that is there, edited since or not. */
  readonly isOurs: (path: string) => boolean;
  /** Whether the file that is there is as weft wrote it; `hashOf` calculates the hash of its text. */
  readonly wrote: (path: string, hashOf: () => string) => boolean;
}

interface Sources {
  readonly root: string;
  readonly rows: BundleRecord;
  readonly journal: Journal;
  /** The shared files that weft may have written. */
  readonly shared: readonly string[];
  /** Whether it is the folder of a cluster with a record. */
  readonly hasRecord: boolean;
}

export function knownFolder({ root, rows, journal, shared, hasRecord }: Sources): KnownFolder {
  const isListed = (path: string): boolean => rows.has(path) || journal.has(path);
  const isOurShared = (path: string): boolean => isShared(path) && isGenerated(startOfFile(join(root, path)));
  return {
    pathsBeside: function* (others) {
      if (rows !== others) yield* rows.keys();
      yield* journal.keys();
      yield* shared;
    },
    isListed,
    isOurs: (path) => isListed(path) || isOurShared(path) || (hasRecord && isListOfCluster(path)),
    wrote: (path, hashOf) => {
      if (isShared(path)) return isOurShared(path);
      const hash = hashOf();
      return rows.get(path)?.includes(hash) === true || journal.get(path)?.includes(hash) === true;
    },
  };
}

/** Whether a path is that of the one file which every cluster with a record has. */
const isListOfCluster = (path: string): boolean => parseBundlePath(path)?.part === 'kustomization';

/** In bytes. The first line of a generated file is shorter, since it names one file of the topology. */
const START_BYTES = 4096;

function startOfFile(path: string): string {
  const bytes = Buffer.alloc(START_BYTES);
  const file = openSync(path, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

import { type FolderFiles, folderOf } from '../../../base/core/folder-files.ts';
import { isShared } from '../../../base/core/generated-files.ts';
import { once } from '../../../base/core/once.ts';
import { bug } from '../../../base/diagnostics/outcome.ts';
import { type BundleRecord, printRecord } from './bundle-record.ts';
import { pathProblems } from './request-problems.ts';
import type { FolderContent, TreeMemory } from './tree-memory.ts';
import { foldersOverAll, sha256 } from './tree-path.ts';

/** The wanted files of one folder below root. */
export interface WantedFolder extends FolderContent {
  /** The folder in the form of `folderOf`; empty for the files directly below root. */
  readonly folder: string;
  /** The bytes of a file by its index, in UTF-8; valid until the next folder is opened. */
  readonly bytesOf: (index: number) => Buffer;
}

interface Surroundings {
  readonly root: string;
  /** True when a request covers a path. */
  readonly covered: (path: string) => boolean;
  /** `null` without a cache. */
  readonly memory: TreeMemory | null;
}

/** Returns a function that opens one folder after the other. The bytes of a cached folder are made on demand. */
export function wantedFolders(
  files: FolderFiles,
  { root, covered, memory }: Surroundings,
): (folder: string) => WantedFolder {
  let buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  return (folder) => {
    const packed = once(() => packFolder(folder, files.inFolder(folder), buffer));
    const content = (): FolderContent => {
      const its = files.inFolder(folder);
      const badPaths = pathProblems(its.keys());
      if (badPaths.length === 0) assertSound(its, files, covered);
      const { paths, bytes } = packed();
      buffer = bytes;
      const hashes = paths.map((_, index) => sha256(bytesOf(packed(), index)));
      const rows = recordRows(paths, hashes);
      return { paths, hashes, rows, record: printRecord(rows), badPaths };
    };
    const version = files.versionOf(folder);
    const known =
      version === undefined ? content() : (memory?.contentOf(`${root}/${folder}`, version, content) ?? content());
    return { folder, ...known, bytesOf: (index) => bytesOf(packed(), index) };
  };
}

/** The size of the buffer for one folder of a large cluster; a larger one is allocated on demand. */
const FIRST_BUFFER_BYTES = 1 << 20;

function recordRows(paths: readonly string[], hashes: readonly string[]): BundleRecord {
  const rows = new Map<string, readonly string[]>();
  for (const [index, path] of paths.entries()) if (!isShared(path)) rows.set(path, [hashes[index] ?? '']);
  return rows;
}

/** Reports faults that no topology can cause as bugs of weft. */
function assertSound(its: ReadonlyMap<string, string>, files: FolderFiles, covered: (path: string) => boolean): void {
  for (const path of its.keys()) {
    if (!covered(path)) bug(`"${path}" is outside the scope of what is written`);
    if (folderOf(path) === '' && files.inFolder(path).size > 0)
      bug(`"${path}" is both a file and the folder of others`);
  }
  for (const it of foldersOverAll(its.keys())) if (its.has(it)) bug(`"${it}" is both a file and the folder of others`);
}

/** The wanted files of one folder below root, in a form that can be passed between threads without a copy. */
interface PackedFolder {
  /** The folder in the form of `folderOf`; empty for the files directly below root. */
  readonly folder: string;
  readonly paths: readonly string[];
  /** The texts in UTF-8, one after the other. */
  readonly bytes: Buffer;
  /** The offset at which each text ends. */
  readonly ends: readonly number[];
}

/** Packs the files of a folder into the reusable buffer, if it is large enough. */
function packFolder(folder: string, files: ReadonlyMap<string, string>, reusable: Buffer): PackedFolder {
  let size = 0;
  for (const text of files.values()) size += Buffer.byteLength(text);
  const bytes = size <= reusable.length ? reusable : Buffer.allocUnsafeSlow(size * 2);
  const ends: number[] = [];
  let at = 0;
  for (const text of files.values()) {
    at += bytes.write(text, at);
    ends.push(at);
  }
  return { folder, paths: [...files.keys()], bytes, ends };
}

/** The bytes of a packed file by its index. */
const bytesOf = ({ bytes, ends }: PackedFolder, index: number): Buffer =>
  bytes.subarray(index === 0 ? 0 : ends[index - 1], ends[index]);

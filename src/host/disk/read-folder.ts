import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { withLf } from '../../base/core/encodings.ts';
import { type FolderFiles, folderFiles, folderOf } from '../../base/core/folder-files.ts';
import { asDiskError, EnvironmentError, errorCode } from './disk-error.ts';
import { NOT_THROUGH_LINKS } from './input-place.ts';
import { listFolder } from './list-folder.ts';

export type FolderResult =
  /** Texts by path below the folder, with `/` on every system, by folder, and there in order of code units. */
  | { readonly kind: 'read'; readonly files: FolderFiles }
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-folder' };

/** No file of a fleet of ten thousand clusters has this size, and no folder of a cluster. */
const LARGEST_BYTES = 256 * 1024 * 1024;

const HINT = 'check that the path is that of bundles which weft wrote';

/**
 * Every regular file below a folder whose name is UTF-8, as text with `\n` as its line ends; links are not followed. A file that
 * is not UTF-8 counts as different later. A folder of the system is refused. Files are read when somebody asks for their folder:
 * one that is gone by then is left out, and whatever the disk refuses is thrown there, as an `EnvironmentError`.
 */
export async function readFolder(
  root: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<FolderResult> {
  const listing = await listFolder(root, isWanted);
  if (listing.kind !== 'listed') return listing;
  const folders = new Map<string, string[]>([['', []]]);
  for (const path of listing.paths) {
    const paths = folders.get(folderOf(path));
    if (paths === undefined) folders.set(folderOf(path), [path]);
    else paths.push(path);
  }
  return {
    kind: 'read',
    files: folderFiles(new Map([...folders].map(([folder, paths]) => [folder, () => readAll(root, paths)]))),
  };
}

/**
 * One after the other, since a fleet has more files than a process may have open, and with synchronous calls, which are several
 * times as fast for small files.
 */
function readAll(root: string, paths: readonly string[]): ReadonlyMap<string, string> {
  try {
    const files = new Map<string, string>();
    let left = LARGEST_BYTES;
    for (const path of paths) {
      const read = readRegularFile(join(root, path), left);
      if (read === undefined) continue;
      left -= read.bytes;
      files.set(path, withLf(read.text));
    }
    return files;
  } catch (error) {
    throw asDiskError(error, root);
  }
}

interface ReadFile {
  readonly text: string;
  readonly bytes: number;
}

/** `undefined` if somebody has removed the file since its folder was listed. */
function readRegularFile(path: string, limitBytes: number): ReadFile | undefined {
  const file = openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const stat = fstatSync(file);
    // It was a file when the folder was listed.
    if (!stat.isFile()) throw new EnvironmentError(`${path} is no longer a file`, HINT);
    if (stat.size > limitBytes) {
      const size = `${Math.ceil(stat.size / (1024 * 1024))} MiB`;
      throw new EnvironmentError(`${path} is too large to be a file of weft: it has ${size}`, HINT);
    }
    return readText(file, stat.size);
  } finally {
    closeSync(file);
  }
}

/** For files that fit into it: a fleet has many, and most are small. */
const sharedBuffer = Buffer.allocUnsafeSlow(1 << 16);

/** As many bytes as the file had when it was opened; fewer if it was cut short since. */
function readText(file: number, size: number): ReadFile {
  const buffer = size <= sharedBuffer.length ? sharedBuffer : Buffer.allocUnsafeSlow(size);
  let bytes = 0;
  while (bytes < size) {
    const read = readSync(file, buffer, bytes, size - bytes, null);
    if (read === 0) break;
    bytes += read;
  }
  return { text: buffer.toString('utf8', 0, bytes), bytes };
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, NOT_THROUGH_LINKS);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

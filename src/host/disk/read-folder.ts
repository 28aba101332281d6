import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { withLf } from '../../base/core/encodings.ts';
import { type FolderFiles, folderFiles, folderOf } from '../../base/core/folder-files.ts';
import { asDiskError, EnvironmentError, errorCode } from './disk-error.ts';
import { NOT_THROUGH_LINKS } from './input-place.ts';
import { listFolder } from './list-folder.ts';

export type FolderResult =
  /** The texts by path, with `/` on every system, grouped by folder and sorted by code unit in each folder. */
  | { readonly kind: 'read'; readonly files: FolderFiles }
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-folder' };

/** The size limit for a file and for all files of a folder. Those of a fleet of ten thousand clusters are smaller. */
const LARGEST_BYTES = 256 * 1024 * 1024;

const HINT = 'check that the path is that of bundles which weft wrote';

/**
 * Reads every regular file below a folder whose name is UTF-8, as text with `\n` line ends. Links are not followed, and
 * a folder of the system is refused. A file that is not UTF-8 is compared as a different text. The files of a folder
 * are read when it is requested: a file that has disappeared is left out, and disk errors are thrown then, as an
 * `EnvironmentError`.
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
 * Reads the files one by one, because a fleet has more files than a process may open, and with synchronous calls, which
 * are several times as fast for small files.
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

/** Returns `undefined` if the file was removed after its folder was listed. */
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

/** A reusable buffer for the many small files of a fleet; a larger file gets its own. */
const sharedBuffer = Buffer.allocUnsafeSlow(1 << 16);

/** Reads as many bytes as the file had when it was opened; fewer if it was truncated since. */
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

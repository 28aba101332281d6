import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { byCodeUnit } from '../../base/core/collections.ts';
import { withLf } from '../../base/core/encodings.ts';
import { type FolderFiles, folderFiles, folderOf } from '../../base/core/folder-files.ts';
import { asDiskError, EnvironmentError, errorCode } from './disk-error.ts';
import { NOT_THROUGH_LINKS, systemFault } from './read-text-file.ts';
import { turns } from './tree/tree-path.ts';

export type FolderResult =
  /** The texts by path, with `/` on every system, grouped by folder and sorted by code unit in each folder. */
  | { readonly kind: 'read'; readonly files: FolderFiles }
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-folder' };

/** The size limit for a file and for all files of a folder. Those of a fleet of ten thousand clusters are smaller. */
const LARGEST_BYTES = 256 * 1024 * 1024;

const NOT_OF_WEFT_HINT = 'check that the path is that of bundles which weft wrote';

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
    files: folderFiles(new Map([...folders].map(([folder, paths]) => [folder, () => readAll(root, paths)])), {
      single: {
        pathsIn: (folder) => folders.get(folder) ?? [],
        read: (path) => readAll(root, [path]).get(path),
      },
    }),
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
    if (!stat.isFile()) throw new EnvironmentError(`${path} is no longer a file`, NOT_OF_WEFT_HINT);
    if (stat.size > limitBytes) {
      const size = `${Math.ceil(stat.size / (1024 * 1024))} MiB`;
      throw new EnvironmentError(`${path} is too large to be a file of weft: it has ${size}`, NOT_OF_WEFT_HINT);
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

export type FolderListing =
  /** Paths below the folder, with `/` on every system, in order of code units. */
  | { readonly kind: 'listed'; readonly paths: readonly string[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-folder' };

/** The limit of listed entries; a fleet of ten thousand clusters has fewer. */
const MOST_ENTRIES = 1_000_000;

const WRONG_FOLDER_HINT = 'check that this is the right folder';

/** Lists all regular files below a folder with UTF-8 names. Links are not followed. A system folder is refused. */
export async function listFolder(
  root: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<FolderListing> {
  try {
    const paths = (await regularFilesBelow(root)).filter((it) => !it.includes(UNREADABLE) && isWanted(it));
    return { kind: 'listed', paths: paths.sort(byCodeUnit) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { kind: 'missing' };
    if (errorCode(error) === 'ENOTDIR') return { kind: 'not-a-folder' };
    throw asDiskError(error, root);
  }
}

/** The character that replaces bytes that are not UTF-8 in a name. No file of weft has it in its name. */
const UNREADABLE = '\uFFFD';

async function regularFilesBelow(root: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [''];
  const turn = turns();
  let entries = 0;
  const real = realpathSync.native(root);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const fault = systemFault(join(real, folder));
    if (fault !== undefined)
      throw new EnvironmentError(`cannot read ${join(root, folder)}: ${fault.reason}`, WRONG_FOLDER_HINT);
    // A synchronous call takes half the time, and a fleet has many small folders.
    const found = folder.includes(UNREADABLE) ? [] : readdirSync(join(root, folder), { withFileTypes: true });
    await turn(1);
    entries += found.length;
    if (entries > MOST_ENTRIES)
      throw new EnvironmentError(`${root} contains more than ${MOST_ENTRIES} files and folders`, WRONG_FOLDER_HINT);
    for (const it of found) {
      if (it.isFile()) files.push(`${folder}${it.name}`);
      else if (it.isDirectory()) folders.push(`${folder}${it.name}/`);
    }
  }
  return files;
}

/** The nearest symbolic link among a path and the folders above it; the search stops below `folder`. */
export function linkBelow(folder: string, path: string): string | undefined {
  for (let at = path; at !== folder && at !== dirname(at); at = dirname(at)) if (isLink(at)) return at;
  return undefined;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch (error) {
    if (errorCode(error) === '') throw error;
    // The caller that reads this path reports why it cannot be read.
    return false;
  }
}

import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { withLf } from '../core/line-ends.ts';
import { asDiskError, errorCode } from './disk-error.ts';
import { EnvironmentError } from './environment-error.ts';
import { listFolder } from './list-folder.ts';
import { NOT_THROUGH_LINKS } from './open-input.ts';

export type FolderResult =
  /** Texts by path below the folder, with `/` on every system, in order of code units. */
  | { readonly kind: 'read'; readonly files: ReadonlyMap<string, string> }
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-folder' };

/** A fleet of ten thousand clusters has no file of this size. */
const LARGEST_BYTES = 256 * 1024 * 1024;
const LARGEST_TOTAL_BYTES = 1024 * 1024 * 1024;

const HINT = 'check that the path is that of bundles which weft wrote';

/**
 * Every regular file below a folder whose name is UTF-8, as text with `\n` as its line ends; links are not followed. A file that is not UTF-8 counts as different later. A
 * folder of the system, or one that is too large to be one of bundles, is refused before its files are read.
 */
export async function readFolder(
  root: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<FolderResult> {
  const listing = await listFolder(root, isWanted);
  if (listing.kind !== 'listed') return listing;
  try {
    const files = new Map<string, string>();
    let left = LARGEST_TOTAL_BYTES;
    // Read one after the other, since a fleet has more files than a process may have open.
    for (const path of listing.paths) {
      const bytes = await readRegularFile(join(root, path), Math.min(left, LARGEST_BYTES));
      if (bytes === undefined) continue;
      left -= bytes.length;
      files.set(path, withLf(bytes.toString()));
    }
    return { kind: 'read', files };
  } catch (error) {
    throw asDiskError(error, root);
  }
}

/** `undefined` if somebody has removed the file since its folder was read. */
async function readRegularFile(path: string, limitBytes: number): Promise<Buffer | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const stat = await file.stat();
    // It was a file when the folder was read.
    if (!stat.isFile()) throw new EnvironmentError(`${path} is no longer a file`, HINT);
    if (stat.size > limitBytes) {
      const size = `${Math.ceil(stat.size / (1024 * 1024))} MiB`;
      throw new EnvironmentError(`${path} is too large to be a file of weft: it has ${size}`, HINT);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, NOT_THROUGH_LINKS);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

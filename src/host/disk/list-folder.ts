import { readdirSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { byCodeUnit } from '../../base/core/collections.ts';
import { asDiskError, EnvironmentError, errorCode } from './disk-error.ts';
import { linkFault, systemFault } from './input-place.ts';
import { turns } from './tree/batches.ts';

export type FolderListing =
  /** Paths below the folder, with `/` on every system, in order of code units. */
  | { readonly kind: 'listed'; readonly paths: readonly string[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-folder' };

/** The limit of listed entries; a fleet of ten thousand clusters has fewer. */
const MOST_ENTRIES = 1_000_000;

const HINT = 'check that this is the right folder';

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
  const real = await realpath(root);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const fault = systemFault(join(real, folder));
    if (fault !== undefined) throw new EnvironmentError(`cannot read ${join(root, folder)}: ${fault.reason}`, HINT);
    // A synchronous call takes half the time, and a fleet has many small folders.
    const found = folder.includes(UNREADABLE) ? [] : readdirSync(join(root, folder), { withFileTypes: true });
    await turn(1);
    entries += found.length;
    if (entries > MOST_ENTRIES)
      throw new EnvironmentError(`${root} contains more than ${MOST_ENTRIES} files and folders`, HINT);
    for (const it of found) {
      if (it.isFile()) files.push(`${folder}${it.name}`);
      else if (it.isDirectory()) folders.push(`${folder}${it.name}/`);
    }
  }
  return files;
}

/**
 * The names of the files in a folder, sorted by code unit, without those that begin with a dot; `undefined` if it is
 * not a folder. The names are printed, so a link may not lead to a folder outside the repository.
 *
 * @param folder an absolute path.
 * @param cwd the working folder.
 */
export async function fileNamesIn(folder: string, cwd = folder): Promise<readonly string[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const fault = systemFault(folder) ?? linkFault({ path: folder, real: await realpath(folder), cwd });
    if (fault !== undefined)
      throw new EnvironmentError(`cannot read ${relative(cwd, folder) || folder}: ${fault.reason}`, fault.hint);
    const names = entries.filter((it) => !it.isDirectory() && !it.name.startsWith('.')).map((it) => it.name);
    return names.sort(byCodeUnit);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
    throw asDiskError(error, folder);
  }
}

/** The nearest symbolic link among a path and the folders above it; the search stops below `folder`. */
export async function linkBelow(folder: string, path: string): Promise<string | undefined> {
  for (let at = path; at !== folder && at !== dirname(at); at = dirname(at)) if (await isLink(at)) return at;
  return undefined;
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (errorCode(error) === '') throw error;
    // The caller that reads this path reports why it cannot be read.
    return false;
  }
}

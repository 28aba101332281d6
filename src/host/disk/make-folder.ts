import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asDiskError, DiskError, errorCode } from './disk-error.ts';

/**
 * Creates a folder and its missing parents. Node's own recursive `mkdir` never ends where a parent is there but nothing can be
 * created in it, as below `/proc`.
 *
 * @param mode of the folders that are created.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  if (await makeOne(path, mode)) return;
  if (path === dirname(path)) throw new DiskError('ENOENT', path);
  await makeFolder(dirname(path), mode);
  if (!(await makeOne(path, mode))) throw new DiskError('ENOENT', path);
}

/** False if the folder above is missing. */
async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    if (errorCode(error) !== 'EEXIST') throw asDiskError(error, path);
    // A broken link is no folder, either.
    const there = await stat(path).catch(() => undefined);
    if (there?.isDirectory() === true) return true;
    throw new DiskError('ENOTDIR', path);
  }
}

import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { parseBundlePath } from '../../../base/core/bundle-path.ts';
import { asFolderFiles, type FolderFiles } from '../../../base/core/folder-files.ts';
import { errorCode } from '../disk-error.ts';
import { foldersOver, isInOwnFolder, topOf } from './tree-path.ts';
import { lockFileAtBundlePath, lockFileInOwnFolder } from './tree-problems.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';

/**
 * What prevents the lock file from being at its path: with two files at one path, the bundle file would replace the lock,
 * and all its decisions would be lost. At any other path below root a lock file is allowed.
 */
export function lockPlaceProblems({ root, files, lockFile }: TreeRequest): readonly TreeProblem[] {
  if (lockFile === null) return [];
  const path = pathBelow(root, lockFile.path);
  if (path === undefined) return [];
  if (isInOwnFolder(path)) return [lockFileInOwnFolder(lockFile.path)];
  return isTaken(path, asFolderFiles(files)) ? [lockFileAtBundlePath(lockFile.path)] : [];
}

/** Whether a path is that of a bundle file, of a folder above one, or below one. */
function isTaken(path: string, files: FolderFiles): boolean {
  // A request for some clusters does not contain the files of the others, so the layout is asked as well.
  if (path === '' || parseBundlePath(path) !== undefined) return true;
  const folders = foldersOver(path);
  const near = [...files.inFolder('').keys(), ...files.inFolder(topOf(path)).keys()];
  return near.some((it) => it === path || it.startsWith(`${path}/`) || folders.includes(it));
}

/** The path of a file below root after all links are followed, empty for root itself; `undefined` for a file elsewhere. */
function pathBelow(root: string, path: string): string | undefined {
  const below = relative(realPath(resolve(root)), realPath(resolve(path)));
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return undefined;
  return below.split(sep).join('/');
}

/** Follows the links of the part of a path that exists and can be read; other steps report what cannot be read. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === '' || path === dirname(path)) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}

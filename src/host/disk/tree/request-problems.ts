import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { OWN_FOLDER, OWN_PATHS, parseBundlePath } from '../../../base/core/bundle-path.ts';
import { asFolderFiles, type FolderFiles } from '../../../base/core/folder-files.ts';
import { errorCode } from '../disk-error.ts';
import { OLD_RECORD, recordsIn } from './bundle-record.ts';
import { entryAt, kindOf } from './disk-view.ts';
import { foldersOver, isInOwnFolder, pathFault, topOf } from './tree-path.ts';
import {
  badPath,
  blockedPath,
  danglingRoot,
  lockFileAtBundlePath,
  lockFileInOwnFolder,
  type TreeProblem,
  type TreeRequest,
} from './tree-request.ts';

/** The problems that can be found before the process lock is taken and before any file is read or created. */
export const earlyProblems = (request: TreeRequest): readonly TreeProblem[] => [
  ...pathProblems(request.scope ?? []),
  ...rootProblems(request),
  ...lockPlaceProblems(request),
];

/** Problems of paths that are not allowed below root. */
export const pathProblems = (paths: Iterable<string>): readonly TreeProblem[] =>
  [...paths].flatMap((path) => {
    const fault = pathFault(path);
    return fault === undefined ? [] : [badPath(path, fault)];
  });

/** Problems that prevent locking and reading: root and weft's own folder must be folders. */
function rootProblems({ root, scope }: TreeRequest): readonly TreeProblem[] {
  const { kind } = entryAt(root);
  if (kind === 'missing') return [];
  if (kind === 'link' && statSync(root, { throwIfNoEntry: false }) === undefined) return [danglingRoot(root)];
  if (!isFolderPath(root)) return [blockedPath(root, '', kind === 'link' ? 'file' : kind)];
  const own = entryAt(join(root, OWN_FOLDER)).kind;
  if (own === 'missing') return [];
  return own === 'folder' ? ownFolderProblems(root, scope) : [blockedPath(root, OWN_FOLDER, own)];
}

function ownFolderProblems(root: string, scope: TreeRequest['scope']): readonly TreeProblem[] {
  const entries = new Map(
    readdirSync(join(root, OWN_FOLDER), { withFileTypes: true }).map((it) => [`${OWN_FOLDER}/${it.name}`, kindOf(it)]),
  );
  // When the old record exists, the records of all clusters are read.
  const records = recordsIn([...entries.keys()], entries.has(OLD_RECORD) ? null : scope);
  return [...Object.values(OWN_PATHS), OLD_RECORD, ...records].flatMap((path) => {
    const kind = entries.get(path) ?? 'missing';
    const fits = kind === 'missing' || kind === (path === OWN_PATHS.staging ? 'folder' : 'file');
    return fits ? [] : [blockedPath(root, path, kind)];
  });
}

/** True when a path is a folder or a link to one. */
export function isFolderPath(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return false;
    throw error;
  }
}

/**
 * Problems of the lock file's path. When the lock and a bundle file have the same path, the bundle file would replace
 * the lock, and all its decisions would be lost. Any other path below root is allowed.
 */
function lockPlaceProblems({ root, files, lockFile }: TreeRequest): readonly TreeProblem[] {
  if (lockFile === null) return [];
  const path = pathBelowRoot(root, lockFile.path);
  if (path === undefined) return [];
  if (isInOwnFolder(path)) return [lockFileInOwnFolder(lockFile.path)];
  return isTaken(path, asFolderFiles(files)) ? [lockFileAtBundlePath(lockFile.path)] : [];
}

/** True when a path is that of a bundle file, of a folder above one, or below one. */
function isTaken(path: string, files: FolderFiles): boolean {
  // A request for some clusters does not contain the files of the others, so the layout is checked too.
  if (path === '' || parseBundlePath(path) !== undefined) return true;
  const folders = foldersOver(path);
  const near = [...files.inFolder('').keys(), ...files.inFolder(topOf(path)).keys()];
  return near.some((it) => it === path || it.startsWith(`${path}/`) || folders.includes(it));
}

/** The path of a file below root after all links are followed, empty for root itself; `undefined` outside root. */
function pathBelowRoot(root: string, path: string): string | undefined {
  const below = relative(resolvedPath(resolve(root)), resolvedPath(resolve(path)));
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return undefined;
  return below.split(sep).join('/');
}

/** The path after the links in its existing, readable part are resolved; other steps report what cannot be read. */
function resolvedPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === '' || path === dirname(path)) throw error;
    return join(resolvedPath(dirname(path)), basename(path));
  }
}

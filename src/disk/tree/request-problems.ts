import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_FOLDER, OWN_PATHS } from '../../core/bundle-path.ts';
import { bug } from '../../diagnostics/bug.ts';
import { errorCode } from '../disk-error.ts';
import { recordsIn } from './bundle-record.ts';
import { entryAt } from './disk-view.ts';
import { lockPlaceProblems } from './lock-place.ts';
import { OLD_RECORD } from './old-record.ts';
import { foldersOver, pathFault, scopeCovers } from './tree-path.ts';
import { badPath, blockedPath, danglingRoot } from './tree-problems.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';

/** The problems that are found before the process lock is taken and before any file is read. */
export const earlyProblems = (request: TreeRequest): readonly TreeProblem[] => [
  ...pathProblems(request),
  ...rootProblems(request),
  ...lockPlaceProblems(request),
];

/** The faults of a request that are found without reading the disk. */
function pathProblems(request: TreeRequest): readonly TreeProblem[] {
  const paths = [...request.files.keys()];
  const problems = [...paths, ...(request.scope ?? [])].flatMap((path) => {
    const fault = pathFault(path);
    return fault === undefined ? [] : [badPath(path, fault)];
  });
  if (problems.length === 0) assertSound(request, paths);
  return problems;
}

/** Faults that no topology can cause, so they are bugs. */
function assertSound(request: TreeRequest, paths: readonly string[]): void {
  const covered = scopeCovers(request.scope);
  for (const path of paths) {
    if (!covered(path)) bug(`"${path}" is outside the scope ${JSON.stringify(request.scope)}`);
    const folder = foldersOver(path).find((it) => request.files.has(it));
    if (folder !== undefined) bug(`"${folder}" is both a file and the folder of "${path}"`);
  }
}

/** Problems that prevent locking and reading: root and weft's own folder must be folders. */
function rootProblems({ root, scope }: TreeRequest): readonly TreeProblem[] {
  const { kind } = entryAt(root);
  if (kind === 'missing') return [];
  if (kind === 'link' && statSync(root, { throwIfNoEntry: false }) === undefined) return [danglingRoot(root)];
  if (!isFolder(root)) return [blockedPath(root, '', kind === 'link' ? 'file' : kind)];
  const own = entryAt(join(root, OWN_FOLDER)).kind;
  if (own === 'missing') return [];
  return own === 'folder' ? ownFolderProblems(root, scope) : [blockedPath(root, OWN_FOLDER, own)];
}

function ownFolderProblems(root: string, scope: TreeRequest['scope']): readonly TreeProblem[] {
  // Beside the old record, those of all clusters are read.
  const isOld = entryAt(join(root, OLD_RECORD)).kind !== 'missing';
  const records = recordsIn(readdirSync(join(root, OWN_FOLDER)), isOld ? null : scope);
  return [...Object.values(OWN_PATHS), OLD_RECORD, ...records].flatMap((path) => {
    const { kind } = entryAt(join(root, path));
    const fits = kind === 'missing' || kind === (path === OWN_PATHS.staging ? 'folder' : 'file');
    return fits ? [] : [blockedPath(root, path, kind)];
  });
}

/** Whether a path is a folder, itself or through a link. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return false;
    throw error;
  }
}

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_FOLDER, OWN_PATHS } from '../../../base/core/bundle-path.ts';
import { errorCode } from '../disk-error.ts';
import { recordsIn } from './bundle-record.ts';
import { entryAt, kindOf } from './disk-view.ts';
import { lockPlaceProblems } from './lock-place.ts';
import { OLD_RECORD } from './old-record.ts';
import { pathFault } from './tree-path.ts';
import { badPath, blockedPath, danglingRoot } from './tree-problems.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';

/** The problems that are found before the process lock is taken and before any file is read or made. */
export const earlyProblems = (request: TreeRequest): readonly TreeProblem[] => [
  ...pathProblems(request.scope ?? []),
  ...rootProblems(request),
  ...lockPlaceProblems(request),
];

/** The paths that are not allowed below root. */
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
  if (!isFolder(root)) return [blockedPath(root, '', kind === 'link' ? 'file' : kind)];
  const own = entryAt(join(root, OWN_FOLDER)).kind;
  if (own === 'missing') return [];
  return own === 'folder' ? ownFolderProblems(root, scope) : [blockedPath(root, OWN_FOLDER, own)];
}

function ownFolderProblems(root: string, scope: TreeRequest['scope']): readonly TreeProblem[] {
  const entries = new Map(
    readdirSync(join(root, OWN_FOLDER), { withFileTypes: true }).map((it) => [`${OWN_FOLDER}/${it.name}`, kindOf(it)]),
  );
  // Beside the old record, those of all clusters are read.
  const records = recordsIn([...entries.keys()], entries.has(OLD_RECORD) ? null : scope);
  return [...Object.values(OWN_PATHS), OLD_RECORD, ...records].flatMap((path) => {
    const kind = entries.get(path) ?? 'missing';
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

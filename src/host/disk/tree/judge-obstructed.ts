import type { DiskView } from './disk-view.ts';
import { parentOf } from './tree-path.ts';
import { blockedPath } from './tree-problems.ts';
import type { TreeProblem } from './tree-request.ts';

interface Stale {
  readonly removals: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

interface Surroundings {
  readonly root: string;
  readonly view: DiskView;
  readonly stale: Stale;
}

/** What stays in the way of files once all that is stale has been removed. */
export const judgeObstructed = (paths: readonly string[], around: Surroundings): readonly TreeProblem[] =>
  paths.flatMap((it) => judge(it, around) ?? []);

function judge(path: string, { root, view, stale }: Surroundings): TreeProblem | undefined {
  const access = view.accessTo(parentOf(path));
  if (access.kind === 'blocked')
    return stale.removals.has(access.at) ? undefined : blockedPath(root, access.at, access.by);
  return dissolves(path, view, stale) ? undefined : blockedPath(root, path, 'folder');
}

/** Whether a folder disappears with the removals. */
function dissolves(folder: string, view: DiskView, stale: Stale): boolean {
  if (!stale.folders.has(folder)) return false;
  return [...view.list(folder)].every(([name, kind]) => {
    const path = `${folder}/${name}`;
    return kind === 'folder' ? dissolves(path, view, stale) : kind === 'file' && stale.removals.has(path);
  });
}

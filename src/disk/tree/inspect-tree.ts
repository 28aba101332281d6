import { by, byCodeUnit } from '../../core/order.ts';
import { printRecord } from './bundle-record.ts';
import { diskView } from './disk-view.ts';
import { findStale } from './find-stale.ts';
import { findWanted, type Placement } from './find-wanted.ts';
import type { Journal } from './journal.ts';
import { type KnownFiles, readKnownFiles } from './known-files.ts';
import { inspectLockFile } from './lock-file.ts';
import { isFolder, requestProblems, rootProblems } from './request-problems.ts';
import { scopeCovers } from './tree-path.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';

/** What has to happen so that the disk holds what is wanted. Lists are sorted by code unit. */
export interface Inspection {
  readonly kind: 'possible';
  readonly placements: readonly Placement[];
  /** Files of weft's that are no longer wanted and still are as weft wrote them. */
  readonly removals: readonly string[];
  /** No longer wanted, but not as weft wrote them: they stay and from now on are somebody else's. */
  readonly keptEdited: readonly string[];
  readonly unchanged: number;
  /** Folders that may be empty once the removals are done, the deepest first. */
  readonly folders: readonly string[];
  /** Whether something that is to be removed stands where a placement goes. */
  readonly removalsComeFirst: boolean;
  readonly recordText: string;
  readonly recordChanged: boolean;
  readonly lockChanged: boolean;
  /** What a run that did not finish left behind; `null` without one. */
  readonly journal: Journal | null;
}

/** Something is in the way; nothing may be changed. */
export interface RefusedTree {
  readonly kind: 'refused';
  readonly problems: readonly TreeProblem[];
}

/** Reads what it must and writes nothing. Files outside the scope are not looked at; of them only their rows are read. */
export async function inspectTree(request: TreeRequest): Promise<Inspection | RefusedTree> {
  const early = [...requestProblems(request), ...rootProblems(request.root)];
  if (early.length > 0) return { kind: 'refused', problems: early };
  const known = readKnownFiles(request.root);
  return 'problems' in known ? { kind: 'refused', problems: known.problems } : compare(request, known);
}

async function compare(request: TreeRequest, known: KnownFiles): Promise<Inspection | RefusedTree> {
  const view = diskView(request.root, isFolder(request.root));
  const stale = await findStale(request, known, view);
  const wanted = await findWanted(request, { root: request.root, known, view, stale });
  const lock = inspectLockFile(request.lockFile);
  const problems = [...wanted.problems, ...lock.problems];
  if (problems.length > 0) return { kind: 'refused', problems: problems.sort(by((it) => it.path)) };
  const recordText = printRecord(new Map([...rowsOutside(request, known), ...wanted.hashes]));
  return {
    kind: 'possible',
    placements: [...wanted.placements].sort(by((it) => it.path)),
    removals: [...stale.removals].sort(byCodeUnit),
    keptEdited: [...stale.keptEdited].sort(byCodeUnit),
    unchanged: wanted.unchanged,
    folders: [...stale.folders].filter((it) => view.wayTo(it).kind === 'open').sort((a, b) => byCodeUnit(b, a)),
    removalsComeFirst: wanted.removalsComeFirst,
    recordText,
    recordChanged: recordText !== known.recordText,
    lockChanged: lock.changed,
    journal: known.journal,
  };
}

/** The rows that this request does not speak for stay as they are. */
function rowsOutside(request: TreeRequest, known: KnownFiles): readonly (readonly [string, string])[] {
  const covered = scopeCovers(request.scope);
  return [...known.record].filter(([path]) => !covered(path));
}

import { by, byCodeUnit } from '../../../base/core/order.ts';
import { BrokenRecord } from './broken-record.ts';
import { diskView } from './disk-view.ts';
import type { FolderSurroundings, Placement } from './inspect-folder.ts';
import { inspectFolders } from './inspect-folders.ts';
import type { Journal } from './journal.ts';
import { judgeObstructed } from './judge-obstructed.ts';
import { type KnownFiles, openKnownFiles } from './known-files.ts';
import { inspectLockFile } from './lock-file.ts';
import { recordsOf } from './records-of.ts';
import { earlyProblems, isFolder } from './request-problems.ts';
import { scopeCovers } from './tree-path.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';

/** The changes that make the disk match the request. Lists are sorted by code unit. */
export interface Inspection {
  readonly kind: 'possible';
  readonly placements: readonly Placement[];
  /** Folders below root that are staged as a whole, with the names that they have there. */
  readonly stagedFolders: ReadonlyMap<string, string>;
  /** Files that are no longer generated, unchanged since weft wrote them. */
  readonly removals: readonly string[];
  /** No longer generated but edited by hand: they stay, and weft no longer manages them. */
  readonly keptEdited: readonly string[];
  readonly unchanged: number;
  /** Folders that may be empty once the removals are done, the deepest first. */
  readonly folders: readonly string[];
  /** Whether a removed file is at the path of a placement or of its folder. */
  readonly removalsComeFirst: boolean;
  /** The records of the scope: path below root -> text, `null` for one that must go. */
  readonly records: ReadonlyMap<string, string | null>;
  /** The records that must be written or removed. */
  readonly changedRecords: readonly string[];
  readonly lockChanged: boolean;
  /** The journal of a run that did not finish; `null` without one. */
  readonly journal: Journal | null;
}

/** The tree cannot be written; nothing is changed. */
export interface RefusedTree {
  readonly kind: 'refused';
  readonly problems: readonly TreeProblem[];
}

/** What an inspection may use. Without `staging` nothing is written; without `memory` every file is read. */
type Means = Partial<Pick<FolderSurroundings, 'staging' | 'memory'>>;

/** Of files outside the scope, only the rows of the record are read. */
export async function inspectTree(request: TreeRequest, means: Means = {}): Promise<Inspection | RefusedTree> {
  const early = earlyProblems(request);
  if (early.length > 0) return { kind: 'refused', problems: early };
  try {
    return await compare(request, openKnownFiles(request.root, request.scope), means);
  } catch (error) {
    if (error instanceof BrokenRecord) return { kind: 'refused', problems: [error.problem] };
    throw error;
  }
}

async function compare(
  request: TreeRequest,
  known: KnownFiles,
  { staging = null, memory = null }: Means,
): Promise<Inspection | RefusedTree> {
  const { root, scope } = request;
  const rootExists = isFolder(root);
  const inspected = await inspectFolders(request, {
    root,
    rootExists,
    known,
    covered: scopeCovers(scope),
    staging,
    memory,
  });
  if (inspected.kind === 'bad-paths') return { kind: 'refused', problems: inspected.problems };
  const { findings } = inspected;
  const removals = findings.flatMap((it) => it.removals);
  const folders = findings.flatMap((it) => it.folders);
  const obstructed = findings.flatMap((it) => it.obstructed);
  const blocked = judgeObstructed(
    obstructed.map((it) => it.path),
    { root, view: diskView(root, rootExists), stale: { removals: new Set(removals), folders: new Set(folders) } },
  );
  const lock = inspectLockFile(request.lockFile);
  const found = [...findings.flatMap((it) => it.problems), ...blocked, ...lock.problems];
  // One link or file at the path of a folder can block many files; it is reported once.
  const problems = new Map(found.map((it) => [it.path, it] as const));
  if (problems.size > 0) return { kind: 'refused', problems: [...problems.values()].sort(by((it) => it.path)) };
  return {
    kind: 'possible',
    placements: [...findings.flatMap((it) => it.placements), ...obstructed].sort(by((it) => it.path)),
    stagedFolders: new Map(findings.flatMap((it) => (it.stagedFolder === null ? [] : [[it.folder, it.stagedFolder]]))),
    removals: removals.sort(byCodeUnit),
    keptEdited: findings.flatMap((it) => it.keptEdited).sort(byCodeUnit),
    unchanged: findings.reduce((sum, it) => sum + it.unchanged, 0),
    folders: folders.sort((a, b) => byCodeUnit(b, a)),
    removalsComeFirst: obstructed.length > 0,
    ...recordsOf(findings, known, scope),
    lockChanged: lock.changed,
    journal: known.journal,
  };
}

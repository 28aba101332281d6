import { by, byCodeUnit } from '../../core/order.ts';
import { clusterOfRecord, printRecords } from './bundle-record.ts';
import { diskView } from './disk-view.ts';
import { findStale } from './find-stale.ts';
import { findWanted, type Placement } from './find-wanted.ts';
import type { Journal } from './journal.ts';
import { type KnownFiles, readKnownFiles } from './known-files.ts';
import { inspectLockFile } from './lock-file.ts';
import { earlyProblems, isFolder } from './request-problems.ts';
import { scopeCovers } from './tree-path.ts';
import type { TreeProblem, TreeRequest } from './tree-request.ts';

/** The changes that make the disk match the request. Lists are sorted by code unit. */
export interface Inspection {
  readonly kind: 'possible';
  readonly placements: readonly Placement[];
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

/** Writes nothing. Of files outside the scope, only the rows of the record are read. */
export async function inspectTree(request: TreeRequest): Promise<Inspection | RefusedTree> {
  const early = earlyProblems(request);
  if (early.length > 0) return { kind: 'refused', problems: early };
  const known = readKnownFiles(request.root, request.scope);
  return 'problems' in known ? { kind: 'refused', problems: known.problems } : compare(request, known);
}

async function compare(request: TreeRequest, known: KnownFiles): Promise<Inspection | RefusedTree> {
  const view = diskView(request.root, isFolder(request.root));
  const stale = await findStale(request, known, view);
  const wanted = await findWanted(request, { root: request.root, known, view, stale });
  const lock = inspectLockFile(request.lockFile);
  const problems = [...wanted.problems, ...lock.problems];
  if (problems.length > 0) return { kind: 'refused', problems: problems.sort(by((it) => it.path)) };
  const rows = [...wanted.hashes].map(([path, hash]) => [path, [hash]] as const);
  const texts = printRecords(new Map([...rowsOutside(request, known), ...rows]));
  const gone = [...known.records.keys()].filter((it) => !texts.has(it) && maySettle(it, request));
  const records = new Map<string, string | null>([...texts, ...gone.map((it) => [it, null] as const)]);
  return {
    kind: 'possible',
    placements: [...wanted.placements].sort(by((it) => it.path)),
    removals: [...stale.removals].sort(byCodeUnit),
    keptEdited: [...stale.keptEdited].sort(byCodeUnit),
    unchanged: wanted.unchanged,
    folders: [...stale.folders].filter((it) => view.accessTo(it).kind === 'open').sort((a, b) => byCodeUnit(b, a)),
    removalsComeFirst: wanted.removalsComeFirst,
    records,
    changedRecords: [...records].filter(([it, text]) => text !== (known.records.get(it) ?? null)).map(([it]) => it),
    lockChanged: lock.changed,
    journal: known.journal,
  };
}

/** Whether a request knows all files that a record can list. */
function maySettle(record: string, { scope }: TreeRequest): boolean {
  const cluster = clusterOfRecord(record);
  return cluster === undefined || scopeCovers(scope)(cluster);
}

/** Rows outside the scope stay as they are. */
function rowsOutside(request: TreeRequest, known: KnownFiles): readonly (readonly [string, readonly string[]])[] {
  const covered = scopeCovers(request.scope);
  return [...known.rows].filter(([path]) => !covered(path));
}

import { existsSync, readFileSync } from 'node:fs';
import { addAll, by, byCodeUnit, sortedUnique } from '../../../base/core/collections.ts';
import { withLf } from '../../../base/core/encodings.ts';
import { asFolderFiles } from '../../../base/core/folder-files.ts';
import { printRecords } from '../../../base/core/print-records.ts';
import { asDiskError, errorCode } from '../disk-error.ts';
import { clusterOfRecord, type Journal, OLD_RECORD } from './bundle-record.ts';
import {
  type FolderFinding,
  type FolderSurroundings,
  inspectFolder,
  type Placement,
  settledFinding,
  wantedFolders,
} from './inspect-folder.ts';
import { type KnownFiles, openKnownFiles } from './known-files.ts';
import { type DiskView, diskView, entryAt, parentOf, scopeCovers, sha256, turns } from './tree-path.ts';
import {
  BrokenRecord,
  blockedPath,
  danglingLockFile,
  earlyProblems,
  isFolderPath,
  type LockFileRequest,
  lockChangedMeanwhile,
  lockFileIsFolder,
  type TreeMemory,
  type TreeProblem,
  type TreeRequest,
} from './tree-request.ts';

/** The changes that make the disk match the request. Lists are sorted by code unit. */
export interface Inspection {
  readonly kind: 'possible';
  readonly placements: readonly Placement[];
  /** Folders below root that are staged as a whole -> their staged names. */
  readonly stagedFolders: ReadonlyMap<string, string>;
  /** Files that are no longer generated, unchanged since weft wrote them. */
  readonly removals: readonly string[];
  /** Files that are no longer generated but were edited by hand: they stay, and weft no longer manages them. */
  readonly keptEdited: readonly string[];
  readonly unchanged: number;
  /** Folders that may be empty after the removals, the deepest first. */
  readonly folders: readonly string[];
  /** True when a removed file is at the path of a placement or of its folder. */
  readonly removalsComeFirst: boolean;
  /** The records of the scope: path below root -> text, `null` for a record that must be removed. */
  readonly records: ReadonlyMap<string, string | null>;
  /** The records that must be written or removed. */
  readonly changedRecords: readonly string[];
  readonly lockChanged: boolean;
  /** The journal of an unfinished run; `null` when the last run finished. */
  readonly journal: Journal | null;
}

/** The tree cannot be written; nothing was changed. */
export interface RefusedTree {
  readonly kind: 'refused';
  readonly problems: readonly TreeProblem[];
}

/** Optional means of an inspection. Without `staging` nothing is written; without `memory` every file is read. */
type Means = Partial<Pick<FolderSurroundings, 'staging' | 'memory'>>;

/** Compares the requested tree with the disk. For files outside the scope, only their rows in the records are read. */
export async function inspectTree(request: TreeRequest, means: Means = {}): Promise<Inspection | RefusedTree> {
  const early = earlyProblems(request);
  if (early.length > 0) return { kind: 'refused', problems: early };
  try {
    return await compareRequest(request, openKnownFiles(request.root, request.scope), means);
  } catch (error) {
    if (error instanceof BrokenRecord) return { kind: 'refused', problems: [error.problem] };
    throw error;
  }
}

async function compareRequest(
  request: TreeRequest,
  known: KnownFiles,
  { staging = null, memory = null }: Means,
): Promise<Inspection | RefusedTree> {
  const { root, scope } = request;
  const rootExists = isFolderPath(root);
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
    ...nextRecords(findings, { root, known, memory }, scope),
    lockChanged: lock.changed,
    journal: known.journal,
  };
}

type Inspected =
  | { readonly kind: 'inspected'; readonly findings: readonly FolderFinding[] }
  | { readonly kind: 'bad-paths'; readonly problems: readonly TreeProblem[] };

/**
 * Compares all files of a request folder by folder, so that their texts are never all in memory, and then the folders
 * that only contain leftover files.
 */
async function inspectFolders(request: TreeRequest, around: FolderSurroundings): Promise<Inspected> {
  const files = asFolderFiles(request.files);
  const leftOver = [...around.known.folders()].filter((it) => it === '' || around.covered(it));
  const findings: FolderFinding[] = [];
  const badPaths: TreeProblem[] = [];
  const turn = turns();
  const open = wantedFolders(files, around);
  let { staging } = around;
  const { root, known, memory } = around;
  // Files of a killed run or of an earlier version may be in any folder.
  const mayBeSettled = known.journal === null && !known.records.has(OLD_RECORD);
  const folders = new Set([...files.folders, ...leftOver]);
  let done = 0;
  for (const folder of folders) {
    request.onFolder?.(done++, folders.size);
    const settled = mayBeSettled ? memory?.settled?.(`${root}/${folder}`, () => files.versionOf(folder)) : undefined;
    if (settled !== undefined && badPaths.length === 0) {
      findings.push(settledFinding(folder, settled));
      await turn(settled.paths.length);
      continue;
    }
    const wanted = open(folder);
    addAll(badPaths, wanted.badPaths);
    if (badPaths.length > 0) continue;
    const finding = inspectFolder(wanted, { ...around, staging });
    // Nothing will be written, so no further files are staged.
    if (finding.problems.length > 0) staging = null;
    findings.push(finding);
    await turn(wanted.paths.length);
  }
  return badPaths.length > 0 ? { kind: 'bad-paths', problems: badPaths } : { kind: 'inspected', findings };
}

interface Records {
  /** Path below root -> text, `null` for a record that must be removed. */
  readonly records: ReadonlyMap<string, string | null>;
  /** The records that must be written or removed. */
  readonly changedRecords: readonly string[];
}

/** The records of a scope as they must be when all files are written. */
function nextRecords(
  findings: readonly FolderFinding[],
  { root, known, memory }: Pick<FolderSurroundings, 'root' | 'known' | 'memory'>,
  scope: readonly string[] | null,
): Records {
  const records = new Map<string, string | null>();
  const changed: string[] = [];
  const others: (readonly [string, readonly string[]])[] = [];
  for (const { rows } of findings) {
    if (rows?.of === 'fleet') addAll(others, rows.rows);
    if (rows?.of !== 'cluster') continue;
    records.set(rows.record, rows.text);
    if (rows.isChanged) changed.push(rows.record);
  }
  if (scope !== null) addAll(others, known.rowsOutside(scopeCovers(scope)));
  for (const [record, text] of printRecords(new Map(others))) {
    records.set(record, text);
    const compare = (): boolean => text === known.textOf(record);
    if (!(memory?.isEqual(`${root}/${record}`, sha256(text), compare) ?? compare())) changed.push(record);
  }
  const gone = [...known.records].filter((it) => !records.has(it) && maySettle(it, scope));
  for (const it of gone) {
    // An unreadable record is reported and stays. The record of earlier versions was read already.
    if (it !== OLD_RECORD) known.rowsOf(it);
    records.set(it, null);
  }
  return { records, changedRecords: [...sortedUnique(changed), ...sortedUnique(gone)] };
}

/** True when a request covers all files that a record can list. */
function maySettle(record: string, scope: readonly string[] | null): boolean {
  const cluster = clusterOfRecord(record);
  return cluster === undefined || scopeCovers(scope)(cluster);
}

interface Stale {
  readonly removals: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

interface TreeSurroundings {
  readonly root: string;
  readonly view: DiskView;
  readonly stale: Stale;
}

/** The problems of obstructed paths: entries that remain there after all stale files are removed. */
const judgeObstructed = (paths: readonly string[], around: TreeSurroundings): readonly TreeProblem[] =>
  paths.flatMap((it) => obstructionAt(it, around) ?? []);

function obstructionAt(path: string, { root, view, stale }: TreeSurroundings): TreeProblem | undefined {
  const access = view.accessTo(parentOf(path));
  if (access.kind === 'blocked')
    return stale.removals.has(access.at) ? undefined : blockedPath(root, access.at, access.by);
  return dissolves(path, view, stale) ? undefined : blockedPath(root, path, 'folder');
}

/** True when a folder disappears with the removals. */
function dissolves(folder: string, view: DiskView, stale: Stale): boolean {
  if (!stale.folders.has(folder)) return false;
  return [...view.list(folder)].every(([name, kind]) => {
    const path = `${folder}/${name}`;
    return kind === 'folder' ? dissolves(path, view, stale) : kind === 'file' && stale.removals.has(path);
  });
}

/** The changes that `writeTree` would make. Paths are below root, sorted by code unit. */
export type TreeDifference =
  | {
      readonly kind: 'compared';
      readonly created: readonly string[];
      readonly changed: readonly string[];
      readonly removed: readonly string[];
      /** Files that are no longer generated but were edited by hand: `writeTree` would keep them. */
      readonly keptEdited: readonly string[];
      readonly unchanged: number;
      /** The records of written files that would change. */
      readonly changedRecords: readonly string[];
      readonly lockChanged: boolean;
      /** True when nothing would change. */
      readonly isCurrent: boolean;
    }
  | { readonly kind: 'refused'; readonly problems: readonly TreeProblem[] };

/** Compares the requested tree with the disk. Writes nothing, takes no lock, and works on a read-only file system. */
export async function compareTree(request: TreeRequest, memory: TreeMemory | null = null): Promise<TreeDifference> {
  const found = await inspectTree(request, { memory }).catch((error: unknown) => {
    throw asDiskError(error, request.root);
  });
  if (found.kind === 'refused') return found;
  const changes = found.placements.length + found.removals.length;
  return {
    kind: 'compared',
    created: found.placements.filter((it) => it.isNew).map((it) => it.path),
    changed: found.placements.filter((it) => !it.isNew).map((it) => it.path),
    removed: found.removals,
    keptEdited: found.keptEdited,
    unchanged: found.unchanged,
    changedRecords: found.changedRecords,
    lockChanged: found.lockChanged,
    isCurrent: changes === 0 && found.changedRecords.length === 0 && !found.lockChanged,
  };
}

/** Returns true in `changed` when the topology's lock file must be written, and the problems that prevent it. */
function inspectLockFile(file: LockFileRequest | null): {
  readonly changed: boolean;
  readonly problems: TreeProblem[];
} {
  if (file === null) return { changed: false, problems: [] };
  if (isFolderPath(file.path)) return { changed: false, problems: [lockFileIsFolder(file.path)] };
  if (entryAt(file.path).kind === 'link' && !existsSync(file.path))
    return { changed: false, problems: [danglingLockFile(file.path)] };
  const now = readLockIfThere(file.path);
  const changed = now !== file.text;
  const since = file.before !== undefined && changed && now !== (file.before === null ? null : withLf(file.before));
  return { changed, problems: since ? [lockChangedMeanwhile(file.path)] : [] };
}

/** The text of a file without a byte order mark and with `\n` line ends; `null` when it is missing. */
function readLockIfThere(path: string): string | null {
  try {
    return withLf(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

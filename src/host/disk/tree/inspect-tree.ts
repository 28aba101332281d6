import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { addAll, by, byCodeUnit, sortedUnique } from '../../../base/core/collections.ts';
import { withLf } from '../../../base/core/encodings.ts';
import { asFolderFiles, type FolderFiles } from '../../../base/core/folder-files.ts';
import { ENDING, FLEET_RECORD, printRecords, recordOf } from '../../../base/core/print-records.ts';
import { asDiskError, errorCode } from '../disk-error.ts';
import { clusterOfRecord, type Journal, OLD_RECORD } from './bundle-record.ts';
import {
  type FolderFinding,
  type FolderSurroundings,
  inspectFolder,
  type Placement,
  settledFinding,
  type WantedFolder,
  wantedFolders,
} from './inspect-folder.ts';
import { type KnownFiles, openKnownFiles } from './known-files.ts';
import { type Staging, stagedAt } from './staging.ts';
import { type StagingThread, startStagingThread } from './staging-thread.ts';
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
  /** Records that are staged: path below root -> the name of the staged file. */
  readonly stagedRecords: ReadonlyMap<string, string>;
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
type Means = Partial<Pick<FolderSurroundings, 'staging' | 'memory' | 'thread'>>;

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
  { staging = null, memory = null, thread = null }: Means,
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
    thread,
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
  const wantedIn = wantedFolders(files, around);
  let { staging } = around;
  const { root, known, memory } = around;
  // Files of a killed run or of an earlier version may be in any folder.
  const mayBeSettled = known.journal === null && !known.records.has(OLD_RECORD);
  // The folders of the whole fleet come first: they are large, and while they are printed little else is in memory.
  const folders = sortedUnique([...files.folders, ...leftOver]);
  const inspect = (wanted: WantedFolder, means: Partial<FolderSurroundings> = {}): void => {
    addAll(badPaths, wanted.badPaths);
    if (badPaths.length > 0) return;
    const finding = inspectFolder(wanted, { ...around, staging, ...means });
    // Nothing will be written, so no further files are staged.
    if (finding.problems.length > 0) staging = null;
    findings.push(finding);
  };
  const inspectHere = async (folder: string): Promise<void> => {
    const wanted = wantedIn.open(folder);
    inspect(wanted);
    await turn(wanted.paths.length);
  };
  const aside = stagedAside(files, around, leftOver);
  const inspectStaged = (): void => {
    for (const it of aside?.thread.staged() ?? []) {
      const name = basename(it.at);
      inspect(wantedIn.staged(it), {
        staging: aside && staging && { ...aside.staging, addFolder: () => name },
        stagedRecord: it.record && basename(it.record),
      });
    }
  };
  let done = 0;
  try {
    for (const folder of folders) {
      request.onFolder?.(done++, folders.length);
      const settled = mayBeSettled ? memory?.settled?.(`${root}/${folder}`, () => files.versionOf(folder)) : undefined;
      if (settled !== undefined && badPaths.length === 0) {
        findings.push(settledFinding(folder, settled));
        await turn(settled.paths.length);
        continue;
      }
      const isAside = staging !== null && badPaths.length === 0 && aside?.takes(folder);
      const its = isAside ? wantedIn.soundFiles(folder) : undefined;
      if (aside !== null && its !== undefined && its.size > 0) {
        await aside.add(folder, its);
        inspectStaged();
        await turn(its.size);
        continue;
      }
      await inspectHere(folder);
    }
    const unstaged = (await aside?.thread.finish()) ?? [];
    inspectStaged();
    for (const it of unstaged) await inspectHere(it);
  } finally {
    aside?.thread.end();
  }
  return badPaths.length > 0 ? { kind: 'bad-paths', problems: badPaths } : { kind: 'inspected', findings };
}

/** A thread that stages whole folders, which this thread only prints. */
interface Aside {
  readonly thread: StagingThread;
  readonly staging: Staging;
  /** True for a folder that is neither on disk nor in a record. The disk is asked again when its files are staged. */
  readonly takes: (folder: string) => boolean;
  readonly add: (folder: string, files: ReadonlyMap<string, string>) => Promise<void>;
}

/** `null` if one thread is faster, or has to do everything. */
function stagedAside(
  { folders }: FolderFiles,
  { root, rootExists, staging, thread: use }: FolderSurroundings,
  leftOver: readonly string[],
): Aside | null {
  if (staging === null || !use || folders.length < use.fromFolders) return null;
  const listed = rootExists ? rootNames(root) : [];
  const there = new Set([...leftOver, ...(listed ?? [])]);
  const isNew = (folder: string): boolean => folder !== '' && !there.has(folder);
  if (listed === undefined || folders.filter(isNew).length < use.fromFolders) return null;
  const thread = startStagingThread(use.program);
  return {
    thread,
    staging,
    takes: (folder) => thread.isAlive() && isNew(folder),
    add: (folder, files) => {
      const at = stagedAt(root, staging.newName());
      const hasRecord = recordOf(`${folder}/`) !== FLEET_RECORD;
      return thread.add({ folder, at, record: hasRecord ? `${at}${ENDING}` : null, files });
    },
  };
}

/** `undefined` for a folder without read permission, in which files can be written nevertheless. */
function rootNames(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return undefined;
  }
}

interface Records {
  /** Path below root -> text, `null` for a record that must be removed. */
  readonly records: ReadonlyMap<string, string | null>;
  readonly stagedRecords: ReadonlyMap<string, string>;
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
  const staged = new Map<string, string>();
  const changed: string[] = [];
  const others: (readonly [string, readonly string[]])[] = [];
  for (const { rows } of findings) {
    if (rows?.of === 'fleet') addAll(others, rows.rows);
    if (rows?.of === 'new-cluster') staged.set(rows.record, rows.staged);
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
  const gone = [...known.records].filter((it) => !records.has(it) && !staged.has(it) && maySettle(it, scope));
  for (const it of gone) {
    // An unreadable record is reported and stays. The record of earlier versions was read already.
    if (it !== OLD_RECORD) known.rowsOf(it);
    records.set(it, null);
  }
  const changedRecords = [...sortedUnique([...changed, ...staged.keys()]), ...sortedUnique(gone)];
  return { records, stagedRecords: staged, changedRecords };
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

import { accessSync, constants, mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OWN_FOLDER, OWN_PATHS } from '../../../base/core/bundle-path.ts';
import { sortedUnique } from '../../../base/core/collections.ts';
import { asDiskError, errorCode } from '../disk-error.ts';
import { addToJournal, type Journal, printJournal } from './bundle-record.ts';
import { type Inspection, inspectTree } from './inspect-tree.ts';
import { cleanUpUnlessDone, endAfter, takeProcessLock } from './process-lock.ts';
import {
  openStaging,
  stagedAt,
  stageLockFile,
  sweepLockFile,
  sweepStaging,
  syncFile,
  syncFolder,
  writeDurably,
} from './staging.ts';
import type { ThreadUse } from './staging-thread.ts';
import { inBatches, parentOf, scopeCovers } from './tree-path.ts';
import {
  earlyProblems,
  isFolderPath,
  type StoppedTree,
  type TreeMemory,
  type TreeProblem,
  type TreeRequest,
} from './tree-request.ts';

export type { TreeProblem, TreeRequest } from './tree-request.ts';

export type TreeResult =
  | {
      readonly kind: 'written';
      /** Paths below root, sorted by code unit, in all of these lists. */
      readonly created: readonly string[];
      readonly changed: readonly string[];
      readonly removed: readonly string[];
      /** Files that are no longer generated but were edited by hand: they stay, and weft no longer manages them. */
      readonly keptEdited: readonly string[];
      readonly unchanged: number;
      readonly lockChanged: boolean;
    }
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly problems: readonly TreeProblem[] }
  /** Another run writes the same tree and did not finish in time. Nothing was changed. */
  | { readonly kind: 'busy'; readonly holder: string }
  /** `mayApply` returned false. Nothing was changed. */
  | { readonly kind: 'not-allowed' };

export interface WriteOptions {
  /** Called before the first change; the run stops unless it returns true. */
  readonly mayApply?: (found: Inspection) => Promise<boolean>;
  /** The time to wait for another run that writes the same tree. */
  readonly waitMilliseconds?: number;
  /** A cache for a process that writes the same tree repeatedly. */
  readonly memory?: TreeMemory | null;
  /** `null` for a tree that one thread writes. */
  readonly thread?: ThreadUse | null;
  /** Called after each step; tests stop the process there. */
  readonly onStep?: (step: string) => void;
}

const WAIT_MILLISECONDS = 3000;

/**
 * Writes the requested tree, or changes nothing. After a kill at any moment, every file is complete, old or new, and
 * the next run produces the tree that this run would have written. Throws a `DiskError` on a disk failure.
 */
export async function writeTree(request: TreeRequest, options: WriteOptions = {}): Promise<TreeResult> {
  try {
    return await lockAndWrite(request, options);
  } catch (error) {
    throw asDiskError(error, request.root);
  }
}

async function lockAndWrite(request: TreeRequest, options: WriteOptions): Promise<TreeResult> {
  // No lock is created through a link, or for a request that cannot be fulfilled.
  const problems = earlyProblems(request);
  if (problems.length > 0) return { kind: 'refused', problems };
  const onStep = options.onStep ?? (() => undefined);
  const waitMilliseconds = options.waitMilliseconds ?? WAIT_MILLISECONDS;
  const lock = await takeProcessLock({ root: request.root, waitMilliseconds }).catch((error: unknown) => error);
  if (!isLockResult(lock)) return unchangedTree(request, options, lock);
  if (lock.kind === 'busy') return lock;
  try {
    onStep('process lock taken');
    return await inspectAndWrite(request, {
      ...{ mayApply: async () => true, memory: null, thread: null },
      ...options,
      onStep,
    });
  } finally {
    lock.release();
    onStep('process lock released');
  }
}

const isLockResult = (lock: unknown): lock is Awaited<ReturnType<typeof takeProcessLock>> =>
  typeof lock === 'object' && lock !== null && 'kind' in lock;

/** The result for a tree in which nothing can be written, if nothing has to be; otherwise throws why. */
async function unchangedTree(
  request: TreeRequest,
  { mayApply, memory = null }: WriteOptions,
  reason: unknown,
): Promise<TreeResult> {
  const found = await inspectTree(request, { memory });
  if (found.kind === 'refused') return found;
  const touched = found.placements.length + found.removals.length + found.folders.length + found.changedRecords.length;
  if (touched > 0 || found.lockChanged || found.journal !== null) throw reason;
  if (mayApply !== undefined && !(await mayApply(found))) return { kind: 'not-allowed' };
  return writtenResult(found);
}

async function inspectAndWrite(
  request: TreeRequest,
  { mayApply, memory, thread, onStep }: Required<Pick<WriteOptions, 'mayApply' | 'memory' | 'thread' | 'onStep'>>,
): Promise<TreeResult> {
  const unchanged = cleanUpUnlessDone(() => request.onStop?.('unchanged'));
  // Removes the staged files of a killed run.
  sweepStaging(request.root);
  try {
    const found = await inspectTree(request, { staging: openStaging(request.root, onStep), memory, thread });
    if (found.kind === 'refused') return found;
    onStep('inspected');
    if (!(await mayApply(found))) return { kind: 'not-allowed' };
    sweepLeftovers(request);
    onStep('leftovers swept');
    let tree: StoppedTree = 'partly-new';
    const done = cleanUpUnlessDone(() => request.onStop?.(tree));
    unchanged();
    try {
      await endAfter(async () => {
        await applyTree(request, found, onStep);
        tree = 'written';
      });
    } finally {
      done();
    }
    return writtenResult(found);
  } finally {
    unchanged();
    // On failure, for example a full disk, the staged files are removed and the tree is unchanged.
    sweepStaging(request.root);
    onStep('staging removed');
  }
}

const writtenResult = (found: Inspection): TreeResult => ({
  kind: 'written',
  created: found.placements.filter((it) => it.isNew).map((it) => it.path),
  changed: found.placements.filter((it) => !it.isNew).map((it) => it.path),
  removed: found.removals,
  keptEdited: found.keptEdited,
  unchanged: found.unchanged,
  lockChanged: found.lockChanged,
});

type OnStep = (step: string) => void;

const { journal: JOURNAL_PATH } = OWN_PATHS;

/** Removes what a killed run left, except staged files. Its journal stays until the tree is complete. */
function sweepLeftovers(request: TreeRequest): void {
  rmSync(join(request.root, `${JOURNAL_PATH}.new`), { force: true });
  if (request.lockFile !== null) sweepLockFile(request.lockFile);
}

/**
 * Applies an inspection whose new files are staged, in an order in which a kill is harmless: the files are listed in
 * the journal first; then they are moved to their paths, stale files are removed, and the records are written.
 *
 * Synced to the disk are the journal, the topology's lock file, the folders that contain them, and the records that an
 * edit changes; not each of up to 100,000 files of the tree, because that would take a hundred times as long as the
 * writing. A kill cannot lose written files; only a power failure can. The next run then finds the damage, because it
 * compares bytes and not hashes, and the journal or a record shows that weft wrote the damaged files.
 */
async function applyTree(request: TreeRequest, found: Inspection, onStep: OnStep): Promise<void> {
  const { root } = request;
  const touched = found.placements.length + found.removals.length + found.folders.length > 0;
  if (touched || found.changedRecords.length > 0 || found.lockChanged) {
    assertWritable(root, found);
    const lock = found.lockChanged && request.lockFile !== null ? stageLockFile(request.lockFile) : undefined;
    onStep('lock file staged');
    try {
      if (touched) writeWhole(root, JOURNAL_PATH, nextJournal(found));
      onStep('journal written');
      lock?.commit();
      onStep('lock file written');
      await moveAll(root, found, onStep);
      await writeRecords(root, found, onStep);
    } finally {
      lock?.discard();
    }
  }
  if (touched || found.journal !== null) settleJournal(request, found.journal);
  onStep('journal settled');
}

/** Finds a folder without write permission before any file has changed. */
function assertWritable(root: string, found: Inspection): void {
  const inFolders = found.placements.filter((it) => it.staged !== null).map((it) => it.path);
  const paths = [...found.stagedFolders.keys(), ...inFolders, ...found.removals];
  const checked = new Set<string>();
  for (const path of paths) {
    for (let folder = parentOf(path); !checked.has(folder); folder = parentOf(folder)) {
      checked.add(folder);
      if (isThereAndWritable(join(root, folder))) break;
    }
  }
}

/** `false` if the folder does not exist yet; then its parent must be writable. */
function isThereAndWritable(folder: string): boolean {
  if (!isFolderPath(folder)) return false;
  accessSync(folder, constants.W_OK | constants.X_OK);
  return true;
}

/** Returns the next journal. Rows of a killed run stay: their files may be on disk but in no record. */
function nextJournal({ journal, placements }: Inspection): Iterable<string> {
  if (journal === null) return printJournal(placedRows(placements));
  return printJournal(
    addToJournal(
      journal,
      placements.map((it) => [it.path, it.hash] as const),
    ),
  );
}

/** The rows one by one: a large fleet has 160,000. */
function* placedRows(placements: Inspection['placements']): Iterable<readonly [string, readonly string[]]> {
  for (const { path, hash } of placements) yield [path, [hash]];
}

async function moveAll(root: string, found: Inspection, onStep: OnStep): Promise<void> {
  if (found.removalsComeFirst) await removeStale(root, found, onStep);
  const alone = found.placements.filter((it) => it.staged !== null);
  for (const folder of sortedUnique(alone.map((it) => parentOf(it.path)))) makeFolderAt(root, folder);
  onStep('folders made');
  await inBatches(found.stagedFolders, ([folder, name]) => {
    placeFolder(root, { folder, name }, found);
    onStep('folder placed');
  });
  await inBatches(alone, ({ path, staged }) => {
    renameSync(stagedAt(root, staged ?? ''), join(root, path));
    onStep('file placed');
  });
  if (!found.removalsComeFirst) await removeStale(root, found, onStep);
}

const makeFolderAt = (root: string, folder: string): void => {
  mkdirSync(join(root, folder), { recursive: true });
};

/**
 * Moves a staged folder. Moves its files one by one if the rename fails, for instance because the folder exists by now.
 */
function placeFolder(
  root: string,
  { folder, name }: { readonly folder: string; readonly name: string },
  { placements }: Inspection,
): void {
  try {
    renameSync(stagedAt(root, name), join(root, folder));
  } catch {
    for (const { path } of placements.filter((it) => it.path.startsWith(`${folder}/`))) {
      makeFolderAt(root, parentOf(path));
      renameSync(stagedAt(root, `${name}${path.slice(folder.length)}`), join(root, path));
    }
  }
}

/** The number of changed records above which they are not synced: syncing each one would take too long. */
const MANY_RECORDS = 64;

async function writeRecords(
  root: string,
  { records, stagedRecords, changedRecords }: Inspection,
  onStep: OnStep,
): Promise<void> {
  // Nothing else is staged if only records change.
  if (changedRecords.length > 0) mkdirSync(join(root, OWN_PATHS.staging), { recursive: true });
  const isSynced = changedRecords.length <= MANY_RECORDS;
  const write = isSynced ? writeDurably : writeFileSync;
  await inBatches(changedRecords, (path) => {
    const staged = stagedRecords.get(path);
    const text = records.get(path) ?? null;
    if (staged !== undefined) {
      if (isSynced) syncFile(stagedAt(root, staged));
      renameSync(stagedAt(root, staged), join(root, path));
    } else if (text === null) rmSync(join(root, path), { force: true });
    else {
      write(stagedAt(root, STAGED_RECORD), text);
      renameSync(stagedAt(root, STAGED_RECORD), join(root, path));
    }
    onStep('record written');
  });
  if (changedRecords.length > 0) syncFolder(join(root, OWN_FOLDER));
}

/** The name of a staged record. Staged files of the tree have numbers as their names. */
const STAGED_RECORD = 'record';

async function removeStale(root: string, found: Inspection, onStep: OnStep): Promise<void> {
  await inBatches(found.removals, (path) => {
    unlinkSync(join(root, path));
    onStep('file removed');
  });
  await inBatches(found.folders, (folder) => {
    removeIfEmpty(join(root, folder));
    onStep('folder removed');
  });
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error))) throw error;
  }
}

/** Removes the journal when the tree is complete, except for rows that only a run for other clusters can complete. */
function settleJournal(request: TreeRequest, before: Journal | null): void {
  const covered = scopeCovers(request.scope);
  const open = [...(before ?? [])].filter(([path]) => !covered(path));
  if (open.length > 0) writeWhole(request.root, JOURNAL_PATH, printJournal(open));
  else rmSync(join(request.root, JOURNAL_PATH), { force: true });
}

/** Writes one of weft's own files completely or not at all; it is on the disk before the function returns. */
function writeWhole(root: string, path: string, pieces: Iterable<string>): void {
  const target = join(root, path);
  try {
    writeDurably(`${target}.new`, pieces);
    renameSync(`${target}.new`, target);
  } catch (error) {
    rmSync(`${target}.new`, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

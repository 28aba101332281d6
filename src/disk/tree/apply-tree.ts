import { accessSync, constants, mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OWN_FOLDER, OWN_PATHS } from '../../core/bundle-path.ts';
import { sortedUnique } from '../../core/order.ts';
import { errorCode } from '../disk-error.ts';
import { NEW_FILE_MODE, syncFolder, writeDurably } from './durable-write.ts';
import { inBatches } from './in-batches.ts';
import type { Inspection } from './inspect-tree.ts';
import { addToJournal, type Journal, printJournal } from './journal.ts';
import { type StagedLockFile, stageLockFile, sweepLockFile } from './lock-file.ts';
import { isFolder } from './request-problems.ts';
import { parentOf, scopeCovers } from './tree-path.ts';
import type { TreeRequest } from './tree-request.ts';

type OnStep = (step: string) => void;

/** Below root, hence on the same file system: one rename moves a file from here to its path. */
const { journal: JOURNAL_PATH, staging: STAGING } = OWN_PATHS;

/** Removes files that a killed run staged but did not move. Its journal stays until the tree is complete. */
export function sweepLeftovers(request: TreeRequest): void {
  for (const it of [STAGING, `${JOURNAL_PATH}.new`]) rmSync(join(request.root, it), { recursive: true, force: true });
  if (request.lockFile !== null) sweepLockFile(request.lockFile);
}

/**
 * Applies an inspection in an order in which a kill is harmless: stage all new files; list them in the journal; only then
 * move them to their paths, remove stale files, and write the records.
 *
 * What is synced to the disk: journal, the topology's lock file, and the folders that hold them, and the records that an edit
 * changes; not each of the possibly 100,000 files of the tree, which would cost a hundred times the writing. A kill cannot lose
 * written files, only a loss of power can. The next run then finds the damage, since it compares bytes and not hashes, and the
 * journal or a record shows that weft wrote the damaged files.
 */
export async function applyTree(request: TreeRequest, found: Inspection, onStep: OnStep): Promise<void> {
  const { root } = request;
  const touched = found.placements.length + found.removals.length + found.folders.length > 0;
  if (touched || found.changedRecords.length > 0 || found.lockChanged) {
    assertWritable(root, found);
    const staged = await stage(request, found, onStep);
    try {
      if (touched) writeWhole(root, JOURNAL_PATH, printJournal(nextJournal(found)));
      onStep('journal written');
      staged?.commit();
      onStep('lock file written');
      await moveAll(root, found, onStep);
      await writeRecords(root, found, onStep);
    } finally {
      staged?.discard();
      rmSync(join(root, STAGING), { recursive: true, force: true });
    }
    onStep('staging removed');
  }
  if (touched || found.journal !== null) settleJournal(request, found.journal);
  onStep('journal settled');
}

/** Finds a folder without write permission before any file has changed. */
function assertWritable(root: string, found: Inspection): void {
  const paths = [...found.placements.map((it) => it.path), ...found.removals];
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
  if (!isFolder(folder)) return false;
  accessSync(folder, constants.W_OK | constants.X_OK);
  return true;
}

async function stage(request: TreeRequest, found: Inspection, onStep: OnStep): Promise<StagedLockFile | undefined> {
  const folder = join(request.root, STAGING);
  try {
    mkdirSync(folder, { recursive: true });
    await inBatches(found.placements.entries(), ([index, { text }]) => {
      writeFileSync(join(folder, String(index)), text, { mode: NEW_FILE_MODE });
      onStep('file staged');
    });
    const staged = found.lockChanged && request.lockFile !== null ? stageLockFile(request.lockFile) : undefined;
    onStep('lock file staged');
    return staged;
  } catch (error) {
    // For example, the disk is full: the staged files are removed, and the tree is unchanged.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Rows of a killed run stay until the tree is complete: their files may be on disk and in no record. */
const nextJournal = (found: Inspection): Journal =>
  addToJournal(
    found.journal ?? new Map(),
    found.placements.map((it) => [it.path, it.hash] as const),
  );

async function moveAll(root: string, found: Inspection, onStep: OnStep): Promise<void> {
  if (found.removalsComeFirst) await removeStale(root, found, onStep);
  const folders = sortedUnique(found.placements.map((it) => parentOf(it.path)));
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  onStep('folders made');
  await inBatches(found.placements.entries(), ([index, { path }]) => {
    renameSync(join(root, STAGING, String(index)), join(root, path));
    onStep('file placed');
  });
  if (!found.removalsComeFirst) await removeStale(root, found, onStep);
}

/** More records than an edit of a few clusters changes: then most files are new, and syncing each record takes too long. */
const MANY_RECORDS = 64;

async function writeRecords(root: string, { records, changedRecords }: Inspection, onStep: OnStep): Promise<void> {
  const write = changedRecords.length > MANY_RECORDS ? writeFileSync : writeDurably;
  await inBatches(changedRecords, (path) => {
    const text = records.get(path) ?? null;
    if (text === null) rmSync(join(root, path), { force: true });
    else {
      write(join(root, STAGING, STAGED_RECORD), text);
      renameSync(join(root, STAGING, STAGED_RECORD), join(root, path));
    }
    onStep('record written');
  });
  if (changedRecords.length > 0) syncFolder(join(root, OWN_FOLDER));
}

/** Staged files of the tree have numbers as their names. */
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

/** The tree is complete: the journal is removed, except for rows that only a run for other clusters can settle. */
function settleJournal(request: TreeRequest, before: Journal | null): void {
  const covered = scopeCovers(request.scope);
  const open = [...(before ?? [])].filter(([path]) => !covered(path));
  if (open.length > 0) writeWhole(request.root, JOURNAL_PATH, printJournal(new Map(open)));
  else rmSync(join(request.root, JOURNAL_PATH), { force: true });
}

/** Writes one of weft's own files completely or not at all; it is on the disk before the next step. */
function writeWhole(root: string, path: string, text: string): void {
  const target = join(root, path);
  try {
    writeDurably(`${target}.new`, text);
    renameSync(`${target}.new`, target);
  } catch (error) {
    rmSync(`${target}.new`, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

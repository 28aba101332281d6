import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { withLf } from '../../../base/core/encodings.ts';
import { type FolderFiles, folderOf } from '../../../base/core/folder-files.ts';
import { once } from '../../../base/core/once.ts';
import { FLEET_RECORD, printRecord, recordOf, recordRows } from '../../../base/core/print-records.ts';
import { bug } from '../../../base/diagnostics/outcome.ts';
import { NOT_THROUGH_LINKS } from '../read-text-file.ts';
import type { KnownFiles, KnownFolder } from './known-files.ts';
import type { Staging } from './staging.ts';
import type { StagedFolder, ThreadUse } from './staging-thread.ts';
import { type DiskView, diskView, foldersOverAll, parentOf, sha256 } from './tree-path.ts';
import {
  blockedPath,
  type FolderContent,
  foreignFile,
  pathProblems,
  type TreeMemory,
  type TreeProblem,
} from './tree-request.ts';

/** A file that must be written. */
export interface Placement {
  readonly path: string;
  readonly hash: string;
  /** True when weft has no file there yet. */
  readonly isNew: boolean;
  /** The name of the staged file; `null` if nothing is staged, and for a file of a staged folder. */
  readonly staged: string | null;
}

/** The result of comparing one folder below root with the disk. It can be passed between threads. */
export interface FolderFinding extends StaleFile {
  readonly folder: string;
  readonly problems: readonly TreeProblem[];
  readonly placements: readonly Placement[];
  /** Files whose path, or a folder above it, is occupied by something that this run may remove first. */
  readonly obstructed: readonly Placement[];
  readonly unchanged: number;
  /** The name of the folder when it is staged as a whole, because it does not exist on disk yet. */
  readonly stagedFolder: string | null;
  /** The rows for the records; `null` for a folder without files. */
  readonly rows: FolderRows | null;
}

type FolderRows =
  /** The folder of a cluster, which has its own record. */
  | { readonly of: 'cluster'; readonly record: string; readonly text: string; readonly isChanged: boolean }
  | { readonly of: 'new-cluster'; readonly record: string; readonly staged: string }
  | { readonly of: 'fleet'; readonly rows: ReadonlyMap<string, readonly string[]> };

export interface FolderSurroundings {
  readonly root: string;
  readonly rootExists: boolean;
  readonly known: KnownFiles;
  /** True when a request covers a path. */
  readonly covered: (path: string) => boolean;
  /** `null` when nothing may be written. */
  readonly staging: Staging | null;
  /** `null` when one thread does everything. */
  readonly thread?: ThreadUse | null;
  /** The name of the staged record of a new cluster; `null` for a folder whose record is compared. */
  readonly stagedRecord?: string | null;
  /** `null` when every file is read. */
  readonly memory: TreeMemory | null;
}

/** The finding about a folder in which there is nothing to do. */
export const settledFinding = (folder: string, { paths, record: text }: FolderContent): FolderFinding => ({
  ...{ folder, problems: [], placements: [], obstructed: [], stagedFolder: null },
  ...{ removals: [], keptEdited: [], folders: [], unchanged: paths.length },
  rows: { of: 'cluster', record: recordOf(`${folder}/`), text, isChanged: false },
});

/** Compares the wanted files of a folder with those on disk, and stages the different ones. */
export function inspectFolder(files: WantedFolder, around: FolderSurroundings): FolderFinding {
  const { root, rootExists, covered, staging, memory } = around;
  const { hashes } = files;
  const { rows, knownHere } = folderRows(files, around);
  const view = diskView(root, rootExists, memory?.entriesOf);
  const stale = findStale({ root, wanted: files, covered, known: knownHere, view, memory });
  const verdicts = files.paths.map((path, index) =>
    judgeFile(
      { path, bytes: () => files.bytesOf(index), hash: hashes[index] ?? '' },
      { root, known: knownHere, view, memory },
    ),
  );
  const stagedFolder =
    staging !== null && files.paths.length > 0 && files.folder !== '' && view.accessTo(files.folder).kind === 'missing'
      ? staging.addFolder(files)
      : null;
  const problems: TreeProblem[] = [];
  const [placements, obstructed]: [Placement[], Placement[]] = [[], []];
  for (const [index, path] of files.paths.entries()) {
    const verdict = verdicts[index] ?? 'equal';
    if (verdict === 'equal') continue;
    if (typeof verdict === 'object') problems.push(verdict);
    else
      (verdict === 'obstructed' ? obstructed : placements).push({
        path,
        hash: hashes[index] ?? '',
        isNew: verdict !== 'changed',
        staged: staging === null || stagedFolder !== null ? null : staging.addFile(files.bytesOf(index)),
      });
  }
  const unchanged = verdicts.filter((it) => it === 'equal').length;
  return { folder: files.folder, ...stale, problems, placements, obstructed, unchanged, stagedFolder, rows };
}

/** The rows of a folder, and the known files in it. Its record on disk is parsed only if its text differs. */
function folderRows(
  { folder, paths, rows, record: text, recordHash }: WantedFolder,
  { root, known, memory, stagedRecord = null }: Pick<FolderSurroundings, 'root' | 'known' | 'memory' | 'stagedRecord'>,
): { readonly rows: FolderRows | null; readonly knownHere: KnownFolder } {
  const record = recordOf(`${folder}/`);
  if (stagedRecord !== null) {
    memory?.isEqual(`${root}/${record}`, recordHash, () => false);
    return { rows: { of: 'new-cluster', record, staged: stagedRecord }, knownHere: known.inFolder(folder) };
  }
  if (record === FLEET_RECORD) return { rows: { of: 'fleet', rows }, knownHere: known.inFolder(folder) };
  if (paths.length === 0) return { rows: null, knownHere: known.inFolder(folder) };
  const compare = (): boolean => known.textOf(record) === text;
  const isChanged = !(memory === null ? compare() : memory.isEqual(`${root}/${record}`, recordHash, compare));
  const knownHere = known.inFolder(folder, isChanged ? undefined : { text, rows });
  return { rows: { of: 'cluster', record, text, isChanged }, knownHere };
}

type FileState = 'equal' | 'changed' | 'new' | 'obstructed' | TreeProblem;

interface SurroundingFiles {
  readonly root: string;
  readonly known: KnownFolder;
  readonly view: DiskView;
  readonly memory: TreeMemory | null;
}

interface WantedFile {
  readonly path: string;
  readonly bytes: () => Buffer;
  readonly hash: string;
}

function judgeFile({ path, bytes, hash }: WantedFile, { root, known, view, memory }: SurroundingFiles): FileState {
  const access = view.accessTo(parentOf(path));
  if (access.kind !== 'open') return access.kind === 'missing' ? 'new' : 'obstructed';
  // The hash in the record does not prove the current content; only the bytes do.
  const at = `${root}/${path}`;
  if (memory === null ? isFileWith(at, bytes()) : memory.isEqual(at, hash, () => isFileWith(at, bytes())))
    return 'equal';
  const entry = view.entryOf(path);
  if (entry.kind === 'missing') return 'new';
  if (entry.kind === 'folder') return 'obstructed';
  if (entry.kind !== 'file') return blockedPath(root, path, entry.kind);
  if (hasText(join(root, path), entry.bytes, bytes())) return 'equal';
  return known.isOurs(path) ? 'changed' : foreignFile(root, path);
}

/** Files that weft wrote and that are no longer generated. */
interface StaleFile {
  /** Files that are unchanged since weft wrote them. */
  readonly removals: readonly string[];
  /** Files that were edited since weft wrote them. */
  readonly keptEdited: readonly string[];
  /**
   * Folders that may be empty after the removals: those above a stale file. They include folders of files that are
   * already removed, because a run may have been killed before it removed the folders.
   */
  readonly folders: readonly string[];
}

interface InspectedFolder {
  readonly root: string;
  readonly wanted: Pick<WantedFolder, 'paths' | 'rows'>;
  readonly covered: (path: string) => boolean;
  readonly known: KnownFolder;
  readonly view: DiskView;
  readonly memory: TreeMemory | null;
}

/** Finds the stale files of one folder below root. */
function findStale({ root, wanted, covered, known, view, memory }: InspectedFolder): StaleFile {
  const stale = new Set<string>();
  const candidates = [...known.pathsBeside(wanted.rows)];
  const isWanted = new Set(candidates.length === 0 ? [] : wanted.paths);
  for (const it of candidates) if (!isWanted.has(it) && covered(it)) stale.add(it);
  const removals: string[] = [];
  const keptEdited: string[] = [];
  for (const path of stale) {
    const kind = view.accessTo(parentOf(path)).kind === 'open' ? view.kindOf(path) : 'missing';
    // A folder at this path is not from weft, or contains a file that is generated now.
    if (kind === 'missing' || kind === 'folder') continue;
    if (kind === 'file' && known.wrote(path, () => hashOfFile(join(root, path)))) removals.push(path);
    else if (known.isListed(path)) keptEdited.push(path);
    else memory?.foreignAt?.(path);
  }
  const folders = [...foldersOverAll(stale)].filter(
    (it) => view.accessTo(it).kind === 'open' && !wanted.paths.some((path) => path.startsWith(`${it}/`)),
  );
  return { removals, keptEdited, folders };
}

/** The hash of a file's text with `\n` line ends. The file is read in pieces, because it may have any size. */
function hashOfFile(path: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(1 << 16);
  const file = openSync(path, 'r');
  let held = ''; // A `\r` at the end of a piece: the next piece shows whether it belongs to a line end.
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      // In latin1 each byte is one character, so only line ends change.
      const text = held + piece.toString('latin1', 0, read);
      held = text.endsWith('\r') ? '\r' : '';
      hash.update(withLf(held === '' ? text : text.slice(0, -1)), 'latin1');
    }
  } finally {
    closeSync(file);
  }
  return hash.update(held, 'latin1').digest('hex');
}

/** A reusable buffer, because a fleet has many files and most of them are small. */
let piece = Buffer.allocUnsafeSlow(1 << 16);

/**
 * True when the path is a regular file, not a link, with exactly these bytes. False in every unusual case; the caller
 * then finds out what it is. This is the fast path: four system calls.
 */
function isFileWith(path: string, wanted: Buffer): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, NOT_THROUGH_LINKS);
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size !== wanted.length) return false;
    if (piece.length < wanted.length) piece = Buffer.allocUnsafeSlow(wanted.length * 2);
    return (
      readSync(file, piece, 0, wanted.length, 0) === wanted.length && wanted.compare(piece, 0, wanted.length) === 0
    );
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** True when a file of this size has the wanted text, with `\n` or `\r\n` line ends. */
function hasText(path: string, bytes: number, wanted: Buffer): boolean {
  if (bytes === wanted.length) return readFileSync(path).equals(wanted);
  // A file with `\r\n` line ends is longer: by at least one byte, and by at most one per line.
  if (bytes < wanted.length || bytes > 2 * wanted.length) return false;
  return withLf(readFileSync(path, 'utf8')) === wanted.toString();
}

/** The wanted files of one folder below root. */
export interface WantedFolder extends FolderContent {
  /** The folder in the form of `folderOf`; empty for the files directly below root. */
  readonly folder: string;
  /** The bytes of a file by its index, in UTF-8; valid until the next folder is opened. */
  readonly bytesOf: (index: number) => Buffer;
}

interface Surroundings {
  readonly root: string;
  /** True when a request covers a path. */
  readonly covered: (path: string) => boolean;
  /** `null` without a cache. */
  readonly memory: TreeMemory | null;
}

/** Opens one folder after the other. The bytes of a cached folder are made on demand. */
interface FolderOpener {
  readonly open: (folder: string) => WantedFolder;
  /** Opens a folder that another thread has staged. */
  readonly staged: (folder: StagedFolder) => WantedFolder;
  /** The files of a folder; `undefined` if it has problems, which `open` returns. */
  readonly soundFiles: (folder: string) => ReadonlyMap<string, string> | undefined;
}

export function wantedFolders(files: FolderFiles, { root, covered, memory }: Surroundings): FolderOpener {
  let buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  const packer = (folder: string): (() => PackedFolder) =>
    once(() => {
      const packed = packFolder(folder, files.inFolder(folder), buffer);
      buffer = packed.bytes;
      return packed;
    });
  const opened = (folder: string, packed: () => PackedFolder, content: () => FolderContent): WantedFolder => {
    const known =
      memory === null ? content() : memory.contentOf(`${root}/${folder}`, () => files.versionOf(folder), content);
    return { folder, ...known, bytesOf: (index) => bytesOf(packed(), index) };
  };
  return {
    open: (folder) => {
      const packed = packer(folder);
      return opened(folder, packed, () => {
        const its = files.inFolder(folder);
        const badPaths = pathProblems(its.keys());
        if (badPaths.length === 0) assertSound(its, files, covered);
        const { paths } = packed();
        const hashes = paths.map((_, index) => sha256(bytesOf(packed(), index)));
        return describedFolder(paths, hashes, badPaths);
      });
    },
    staged: ({ folder, paths, hashes, recordHash }) =>
      opened(folder, packer(folder), () =>
        recordHash === null
          ? describedFolder(paths, hashes)
          : // Its record is printed.
            { paths, hashes, rows: new Map(), record: '', recordHash, badPaths: [] },
      ),
    soundFiles: (folder) => {
      const its = files.inFolder(folder);
      if (pathProblems(its.keys()).length > 0) return undefined;
      assertSound(its, files, covered);
      return its;
    },
  };
}

/** The size of the buffer for one folder of a large cluster; a larger one is allocated on demand. */
const FIRST_BUFFER_BYTES = 1 << 20;

/** The content of a folder from the hashes of its files. */
export function describedFolder(
  paths: readonly string[],
  hashes: readonly string[],
  badPaths: readonly TreeProblem[] = [],
): FolderContent {
  const rows = recordRows(paths, hashes);
  const record = printRecord(rows);
  return { paths, hashes, rows, record, recordHash: sha256(record), badPaths };
}

/** Reports faults that no topology can cause as bugs of weft. */
function assertSound(its: ReadonlyMap<string, string>, files: FolderFiles, covered: (path: string) => boolean): void {
  for (const path of its.keys()) {
    if (!covered(path)) bug(`"${path}" is outside the scope of what is written`);
    if (folderOf(path) === '' && files.inFolder(path).size > 0)
      bug(`"${path}" is both a file and the folder of others`);
  }
  for (const it of foldersOverAll(its.keys())) if (its.has(it)) bug(`"${it}" is both a file and the folder of others`);
}

/** The wanted files of one folder below root, in a form that can be passed between threads without a copy. */
interface PackedFolder {
  /** The folder in the form of `folderOf`; empty for the files directly below root. */
  readonly folder: string;
  readonly paths: readonly string[];
  /** The texts in UTF-8, one after the other. */
  readonly bytes: Buffer;
  /** The offset at which each text ends. */
  readonly ends: readonly number[];
}

/** Packs the files of a folder into the reusable buffer, if it is large enough. */
function packFolder(folder: string, files: ReadonlyMap<string, string>, reusable: Buffer): PackedFolder {
  let size = 0;
  for (const text of files.values()) size += Buffer.byteLength(text);
  const bytes = size <= reusable.length ? reusable : Buffer.allocUnsafeSlow(size);
  const ends: number[] = [];
  let at = 0;
  for (const text of files.values()) {
    at += bytes.write(text, at);
    ends.push(at);
  }
  return { folder, paths: [...files.keys()], bytes, ends };
}

/** The bytes of a packed file by its index. */
const bytesOf = ({ bytes, ends }: PackedFolder, index: number): Buffer =>
  bytes.subarray(index === 0 ? 0 : ends[index - 1], ends[index]);

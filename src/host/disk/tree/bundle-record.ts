import { OWN_FOLDER } from '../../../base/core/bundle-path.ts';
import { by } from '../../../base/core/collections.ts';
import type { FolderFiles } from '../../../base/core/folder-files.ts';
import { isGenerated, isShared, sharedFilesOf } from '../../../base/core/generated-files.ts';
import { type BundleRecord, ENDING, FLEET, printRecords, recordNamed } from '../../../base/core/print-records.ts';
import { pathFault, sha256 } from './tree-path.ts';

type RecordResult =
  | { readonly ok: true; readonly record: BundleRecord }
  | { readonly ok: false; readonly message: string };

/** Filters the paths in weft's own folder: returns the records in which a request with this scope may change rows. */
export function recordsIn(paths: readonly string[], scope: readonly string[] | null): readonly string[] {
  const records = paths.filter(isRecord);
  const wanted = scope && new Set([...scope, FLEET].map(recordNamed));
  return wanted === null ? records : records.filter((it) => wanted.has(it));
}

/** The cluster whose files a record lists; `undefined` for the record of the whole fleet and for other files. */
export function clusterOfRecord(path: string): string | undefined {
  if (!isRecord(path)) return undefined;
  const name = path.slice(OWN_FOLDER.length + 1, -ENDING.length);
  return name === FLEET ? undefined : name;
}

/** True when a path below `out/` is that of a record. */
export const isRecord = (path: string): boolean => path.startsWith(`${OWN_FOLDER}/`) && path.endsWith(ENDING);

/**
 * Parses a record. Rows may be in any order, and a path may have several. Marks of a merge conflict are skipped,
 * because weft wrote the files of both branches.
 */
export function parseRecord(text: string): RecordResult {
  const record = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    if (WITHOUT_ROW.test(line)) continue;
    const [, hash = '', path] = ROW.exec(line) ?? [];
    if (path === undefined) return broken(`has a line that is not "HASH  PATH": ${JSON.stringify(line.slice(0, 80))}`);
    const fault = pathFault(path);
    if (fault !== undefined) return broken(`names ${JSON.stringify(path)}, which ${fault}`);
    record.set(path, [...(record.get(path) ?? []).filter((it) => it !== hash), hash]);
  }
  return { ok: true, record };
}

const ROW = /^([0-9a-f]{64}) [ *]([^\r]*)\r?$/;
const WITHOUT_ROW = /^(?:#.*|(?:<{7}|\|{7}|={7}|>{7})(?: .*)?)?\r?$/;

/** True when the value is a SHA-256 in hex as weft prints it. */
const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

const broken = (message: string): RecordResult => ({ ok: false, message });

/** The single record that earlier versions wrote for all clusters. It is read once and replaced by one per cluster. */
export const OLD_RECORD = `${OWN_FOLDER}/bundle.json`;

type OldRecordResult =
  | { readonly ok: true; readonly record: BundleRecord }
  | { readonly ok: false; readonly message: string };

const VERSION = 1;
const CONFLICT_MARK = /^(<{7}|={7}|>{7})( |\r?$)/m;

/**
 * Parses the record of earlier versions. Rows may be in any order; of repeated rows, which a merge can produce, the
 * last one is used. A record with merge conflict marks has the rows of both branches, because weft wrote the files of
 * both.
 */
export function parseOldRecord(text: string): OldRecordResult {
  if (CONFLICT_MARK.test(text)) return { ok: true, record: rowsOfBothSides(text) };
  const read = readVersioned(text);
  if (typeof read === 'string') return { ok: false, message: read };
  const record = new Map<string, readonly string[]>();
  for (const [path, hash] of Object.entries(read)) {
    const fault = pathFault(path);
    if (fault !== undefined) return { ok: false, message: `names ${JSON.stringify(path)}, which ${fault}` };
    if (!isHash(hash)) return { ok: false, message: `has no SHA-256 for ${JSON.stringify(path)}` };
    record.set(path, [hash]);
  }
  return { ok: true, record };
}

function rowsOfBothSides(text: string): BundleRecord {
  const record = new Map<string, readonly string[]>();
  for (const line of text.split('\n')) {
    const [, path, hash] = /^ {4}("(?:[^"\\]|\\.)*"): "([0-9a-f]{64})",?\r?$/.exec(line) ?? [];
    const name = path === undefined ? undefined : parseJson(path);
    if (typeof name === 'string' && hash !== undefined && pathFault(name) === undefined) record.set(name, [hash]);
  }
  return record;
}

/** Returns the `files` of one of weft's versioned JSON files, or a message that explains why it cannot be used. */
function readVersioned(text: string): Readonly<Record<string, unknown>> | string {
  const value = parseJson(text);
  if (!isMap(value)) return 'is not the JSON that weft writes';
  const version = value['version'];
  if (typeof version === 'number' && version > VERSION) return `is of version ${version}, which a newer weft wrote`;
  if (version !== VERSION || !isMap(value['files'])) return 'is not the JSON that weft writes';
  return value['files'];
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Returns a test that is true for files that weft wrote, according to the records among all files below `out/`, hidden
 * files included. Without a record, or with an unreadable one, it is true for every file. The records are read at the
 * first call.
 */
export function ownFileOf(files: FolderFiles): (path: string, text: string) => boolean {
  let isListed: ((path: string) => boolean) | undefined;
  return (path, text) => {
    isListed ??= listedIn(files.inFolder(OWN_FOLDER));
    return isListed(path) || (isShared(path) && isGenerated(text));
  };
}

function listedIn(files: ReadonlyMap<string, string>): (path: string) => boolean {
  const own = new Set<string>();
  const records = [...files].filter(([path]) => isRecord(path) || path === OLD_RECORD);
  if (records.length === 0) return () => true;
  for (const [path, text] of records) {
    const read = path === OLD_RECORD ? parseOldRecord(text) : parseRecord(text);
    if (!read.ok) return () => true;
    for (const it of read.record.keys()) own.add(it);
  }
  return (path) => own.has(path);
}

/**
 * All files that weft may have written, according to one record: its rows, and the shared files of its cluster.
 * `undefined` if the path is not that of a record. An unreadable record is treated as empty, so the files that it
 * listed stay.
 */
export function listedFiles(path: string, text: string): readonly string[] | undefined {
  if (path !== OLD_RECORD && !isRecord(path)) return undefined;
  const read = path === OLD_RECORD ? parseOldRecord(text) : parseRecord(text);
  if (!read.ok) return [];
  const cluster = clusterOfRecord(path);
  return [...read.record.keys(), ...(cluster === undefined ? [] : sharedFilesOf(cluster))];
}

/** The records that a compile of exactly these files writes below `out/`, by path. */
export const recordFiles = (files: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  printRecords(new Map([...files].map(([path, text]) => [path, [sha256(text)]])));

/**
 * Files that weft is about to write, before the record lists them: path -> hashes of the bytes that this run, or an
 * earlier killed run, may have written. A path has several hashes when several runs in a row were killed.
 */
export type Journal = ReadonlyMap<string, readonly string[]>;

type JournalResult =
  | { readonly ok: true; readonly journal: Journal }
  | { readonly ok: false; readonly message: string };

/** Prints a journal in pieces, as that of a large fleet has 30 MB. */
export function* printJournal(rows: Iterable<JournalRow>): Iterable<string> {
  let piece = '{"version": 1, "files": {\n';
  let isFirst = true;
  for (const [path, hashes] of rows) {
    piece += `${isFirst ? '' : ',\n'}${JSON.stringify(path)}: ${JSON.stringify(hashes)}`;
    isFirst = false;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n}}\n`;
}

type JournalRow = readonly [path: string, hashes: readonly string[]];

const PIECE_CHARACTERS = 1 << 16;

export function parseJournal(text: string): JournalResult {
  const read = readVersioned(text);
  if (typeof read === 'string') return { ok: false, message: read };
  const journal = new Map<string, readonly string[]>();
  for (const [path, hashes] of Object.entries(read)) {
    const fault = pathFault(path);
    if (fault !== undefined) return { ok: false, message: `names ${JSON.stringify(path)}, which ${fault}` };
    if (!Array.isArray(hashes) || !hashes.every(isHash))
      return { ok: false, message: `has no SHA-256 for ${JSON.stringify(path)}` };
    journal.set(path, hashes);
  }
  return { ok: true, journal };
}

/** Returns the rows of a journal and further ones by path; different hashes of the same path are all kept. */
export function addToJournal(journal: Journal, rows: Iterable<readonly [string, string]>): readonly JournalRow[] {
  const all = new Map(journal);
  for (const [path, hash] of rows) {
    const known = all.get(path) ?? [];
    if (!known.includes(hash)) all.set(path, [...known, hash]);
  }
  return [...all].sort(by(([path]) => path));
}

import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import {
  clusterFolderOf,
  OWN_FOLDER,
  OWN_PATHS,
  parseBundlePath,
  printBundlePath,
} from '../../../base/core/bundle-path.ts';
import { byCodeUnit, groupBy } from '../../../base/core/collections.ts';
import { withLf } from '../../../base/core/encodings.ts';
import { folderOf } from '../../../base/core/folder-files.ts';
import { FLEET_FILES, fleetFilesOf, isGenerated, isShared, sharedFilesIn } from '../../../base/core/generated-files.ts';
import { once } from '../../../base/core/once.ts';
import { type BundleRecord, FLEET_RECORD, recordOf } from '../../../base/core/print-records.ts';
import { asDiskError, EnvironmentError, errorCode } from '../disk-error.ts';
import {
  clusterOfRecord,
  type Journal,
  OLD_RECORD,
  parseJournal,
  parseOldRecord,
  parseRecord,
  recordsIn,
} from './bundle-record.ts';
import { entryAt } from './tree-path.ts';
import { BrokenRecord } from './tree-request.ts';

/** The files that weft wrote: those in the records or a killed run's journal, and shared files of these clusters. */
export interface KnownFiles {
  /** The paths of the records on disk that a request may change. */
  readonly records: ReadonlySet<string>;
  /** The journal of a killed run; `null` when the last run finished. */
  readonly journal: Journal | null;
  /** The folders, in the form of `folderOf`, that may contain files of weft. */
  readonly folders: () => ReadonlySet<string>;
  /** The text of a record with `\n` line ends, read at every call; `null` when it is missing. */
  readonly textOf: (record: string) => string | null;
  /** The rows of a record. A caller that already has its text passes it. */
  readonly rowsOf: (record: string, text?: string | null) => BundleRecord;
  /** The known files of a folder. A caller that already has the text or rows of its record passes them as `own`. */
  readonly inFolder: (folder: string, own?: OwnRecord) => KnownFolder;
  /** The rows of files that a request does not cover. */
  readonly rowsOutside: (covered: (path: string) => boolean) => BundleRecord;
}

interface OwnRecord {
  readonly text: string | null;
  readonly rows?: BundleRecord | undefined;
}

/**
 * Opens the records that a request may change; `scope` is that of the request, and records of other clusters are not
 * read. A record is read when its folder is requested. An unreadable one is thrown as a `BrokenRecord`.
 */
export function openKnownFiles(root: string, scope: readonly string[] | null): KnownFiles {
  const oldText = readRecordIfThere(join(root, OLD_RECORD));
  // The old record has rows of all clusters, which are moved to the records of the clusters.
  const records = recordsIn(ownPaths(root), oldText === null ? scope : null);
  const old = oldText === null ? NO_ROWS : parsedOrThrow(root, OLD_RECORD, parseOldRecord(oldText)).record;
  const journalText = readRecordIfThere(join(root, OWN_PATHS.journal));
  const journal =
    journalText === null ? null : parsedOrThrow(root, OWN_PATHS.journal, parseJournal(journalText)).journal;
  return knownFiles(root, { records: new Set(oldText === null ? records : [OLD_RECORD, ...records]), old, journal });
}

function parsedOrThrow<R extends { readonly ok: boolean }>(
  root: string,
  path: string,
  read: R | { readonly ok: false; readonly message: string },
): Extract<R, { readonly ok: true }> {
  if ('message' in read) throw new BrokenRecord(root, path, read.message);
  return read as Extract<R, { readonly ok: true }>;
}

interface Opened extends Pick<KnownFiles, 'records' | 'journal'> {
  readonly old: BundleRecord;
}

const NO_ROWS: BundleRecord = new Map();

function knownFiles(root: string, { records, old, journal }: Opened): KnownFiles {
  const textOf = (record: string): string | null => {
    const text = records.has(record) ? readRecordIfThere(join(root, record)) : null;
    return text === null ? null : withLf(text);
  };
  const rowsOf = (record: string, text = textOf(record)): BundleRecord => {
    if (text === null) return NO_ROWS;
    const rows = parsedOrThrow(root, record, parseRecord(text)).record;
    // A row that belongs into the record of another cluster was not written by weft.
    return new Map([...rows].filter(([path]) => recordOf(path) === record));
  };
  const [oldRows, journalRows] = [rowsByFolder(old), rowsByFolder(journal ?? NO_ROWS)];
  const fleetRows = once(() => rowsByFolder(rowsOf(FLEET_RECORD)));
  const clusters = clustersAmong([...records], [...old.keys(), ...(journal?.keys() ?? [])]);
  const hasAny = records.size + old.size + (journal?.size ?? 0) > 0;
  const fleetFiles = once(() => pathsByFolder(hasAny ? [...FLEET_FILES, ...[...clusters].flatMap(fleetFilesOf)] : []));
  return {
    records,
    journal,
    textOf,
    rowsOf,
    folders: () =>
      new Set([
        ...[...fleetRows().keys(), ...fleetFiles().keys()],
        ...clusters,
        ...oldRows.keys(),
        ...journalRows.keys(),
      ]),
    inFolder: (folder, own) => {
      const record = recordOf(`${folder}/`);
      const isFleet = record === FLEET_RECORD;
      const rows = isFleet ? (fleetRows().get(folder) ?? NO_ROWS) : (own?.rows ?? rowsOf(record, own?.text));
      return knownFolder({
        root,
        rows: joinedRecords(oldRows.get(folder) ?? NO_ROWS, rows),
        journal: journalRows.get(folder) ?? NO_ROWS,
        shared: [...(fleetFiles().get(folder) ?? []), ...(clusters.has(folder) ? sharedFilesIn(folder) : [])],
        hasRecord: records.has(record),
      });
    },
    rowsOutside: (covered) => {
      const isOutside = (record: string): boolean => {
        const cluster = clusterOfRecord(record);
        return record !== OLD_RECORD && (cluster === undefined || !covered(cluster));
      };
      const rows = new Map([...records].filter(isOutside).flatMap((it) => [...rowsOf(it)]));
      return new Map([...joinedRecords(old, rows)].filter(([path]) => !covered(path)));
    },
  };
}

function clustersAmong(records: readonly string[], paths: readonly string[]): ReadonlySet<string> {
  const all = [...records.map(clusterOfRecord), ...paths.map(clusterFolderOf)];
  return new Set(all.filter((it) => it !== undefined));
}

/** Joins two records; a path in both has the hashes of both. */
function joinedRecords(a: BundleRecord, b: BundleRecord): BundleRecord {
  if (a.size === 0) return b;
  const all = new Map(a);
  for (const [path, hashes] of b) all.set(path, [...(all.get(path) ?? []), ...hashes]);
  return all;
}

function rowsByFolder(rows: BundleRecord): ReadonlyMap<string, BundleRecord> {
  const folders = groupBy([...rows], ([path]) => [folderOf(path)]);
  return new Map([...folders].map(([folder, its]) => [folder, new Map(its)]));
}

const pathsByFolder = (paths: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  groupBy(paths, (it) => [folderOf(it)]);

/** The paths of the entries in weft's own folder. */
function ownPaths(root: string): readonly string[] {
  try {
    return readdirSync(join(root, OWN_FOLDER)).map((it) => `${OWN_FOLDER}/${it}`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The files that weft is known to have written in one folder below root. */
export interface KnownFolder {
  /**
   * All files that weft may have written, present or not, with possible repetitions. The rows of the record are
   * left out when they are the given object.
   */
  readonly pathsBeside: (rows: BundleRecord) => Iterable<string>;
  /** True when a record or the journal lists the file. */
  readonly isListed: (path: string) => boolean;
  /** True when weft wrote the file on disk, edited since or not. */
  readonly isOurs: (path: string) => boolean;
  /** True when the file on disk is as weft wrote it; `hashOf` calculates the hash of its text. */
  readonly wrote: (path: string, hashOf: () => string) => boolean;
}

interface Sources {
  readonly root: string;
  readonly rows: BundleRecord;
  readonly journal: Journal;
  /** The paths of shared files that weft may have written. */
  readonly shared: readonly string[];
  /** True for the folder of a cluster with a record. */
  readonly hasRecord: boolean;
}

function knownFolder({ root, rows, journal, shared, hasRecord }: Sources): KnownFolder {
  const isListed = (path: string): boolean => rows.has(path) || journal.has(path);
  const isOurShared = (path: string): boolean => isShared(path) && isGenerated(startOfFile(join(root, path)));
  return {
    pathsBeside: function* (others) {
      if (rows !== others) yield* rows.keys();
      yield* journal.keys();
      yield* shared;
    },
    isListed,
    isOurs: (path) => isListed(path) || isOurShared(path) || (hasRecord && isListOfCluster(path)),
    wrote: (path, hashOf) => {
      if (isShared(path)) return isOurShared(path);
      const hash = hashOf();
      return rows.get(path)?.includes(hash) === true || journal.get(path)?.includes(hash) === true;
    },
  };
}

/** True for the path of the kustomization, the one file that every cluster with a record has. */
const isListOfCluster = (path: string): boolean => parseBundlePath(path)?.part === 'kustomization';

/** The first lines of a generated file are shorter: they contain the name of one file, and of the fleet. */
const START_BYTES = 4096;

/** The start of a file, without waiting for a pipe. */
function startOfFile(path: string): string {
  const bytes = Buffer.alloc(START_BYTES);
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** The size limit of a record in bytes. The old record has a line for each file of the fleet. */
const LARGEST_RECORD_BYTES = 256 * 1024 * 1024;

/** The text of a record or the journal; `null` when the path is not a file, which the problems of a request report. */
function readRecordIfThere(path: string): string | null {
  try {
    const { kind, bytes } = entryAt(path);
    if (kind !== 'file') return null;
    if (bytes > LARGEST_RECORD_BYTES) {
      const size = `${Math.ceil(bytes / (1024 * 1024))} MiB`;
      throw new EnvironmentError(
        `${path} is too large to be a record of weft: it has ${size}`,
        'delete it and compile again',
      );
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Returns a test that is true for a file below root that is as weft wrote it, and false for every file of an unreadable
 * record. `hashOf` calculates the file's hash.
 */
export function writtenByWeft(root: string): KnownFolder['wrote'] {
  const known = unlessBroken<KnownFiles>(() => openKnownFiles(root, null));
  const folders = new Map<string, KnownFolder | undefined>();
  return (path, hashOf) => {
    const name = folderOf(path);
    if (!folders.has(name))
      folders.set(
        name,
        unlessBroken(() => known?.inFolder(name)),
      );
    return folders.get(name)?.wrote(path, hashOf) ?? false;
  };
}

function unlessBroken<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof BrokenRecord) return undefined;
    throw error;
  }
}

/** The kind of content in a folder to which bundles would be written. */
export type OutContent =
  /** No entries, or only hidden files and a README. */
  | { readonly kind: 'empty' }
  /** Bundles. `fleets` are the names in its `addresses.json`: one, several after a merge, none if it cannot be read. */
  | { readonly kind: 'bundles'; readonly fleets: readonly string[] }
  /** Folders of several fleets, each with bundles. */
  | { readonly kind: 'several'; readonly fleets: readonly string[] }
  /** Other files. `names` are the names of its entries, sorted. */
  | { readonly kind: 'others'; readonly names: readonly string[]; readonly isRepository: boolean };

/** Classifies the content of the output folder without reading subfolders. A file at its path is reported elsewhere. */
export function contentOfOut(root: string): OutContent {
  try {
    return contentOf(root, entryNames(root));
  } catch (error) {
    throw asDiskError(error, root);
  }
}

function contentOf(root: string, names: readonly string[]): OutContent {
  const fleets = fleetsIn(join(root, ADDRESSES));
  if (names.includes(OWN_FOLDER) || fleets.length > 0) return { kind: 'bundles', fleets };
  const isRepository = names.includes('.git');
  const others = names.filter((it) => !/^(\.|readme)/i.test(it));
  if (others.length === 0 && !isRepository) return { kind: 'empty' };
  const ofFleets = others.filter((it) => existsSync(join(root, it, OWN_FOLDER))).sort(byCodeUnit);
  if (ofFleets.length === others.length && !isRepository) return { kind: 'several', fleets: ofFleets };
  return { kind: 'others', names: [...others].sort(byCodeUnit), isRepository };
}

const ADDRESSES = printBundlePath({ part: 'addresses' });

/** The names of fleets at the start of an `addresses.json`; several when it has merge conflict marks. */
function fleetsIn(path: string): readonly string[] {
  const found = [...startOfAddresses(path).matchAll(/^ {2}"topology": "([a-z0-9-]+)",\r?$/gm)];
  return [...new Set(found.map((it) => it[1] ?? ''))];
}

function entryNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return [];
    throw error;
  }
}

function startOfAddresses(path: string): string {
  try {
    return startOfFile(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENXIO', 'EAGAIN'].includes(errorCode(error))) return '';
    throw error;
  }
}

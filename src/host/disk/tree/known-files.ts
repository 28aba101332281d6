import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { clusterFolderOf, OWN_FOLDER, OWN_PATHS } from '../../../base/core/bundle-path.ts';
import { folderOf } from '../../../base/core/folder-files.ts';
import { groupBy } from '../../../base/core/group-by.ts';
import { withLf } from '../../../base/core/line-ends.ts';
import { once } from '../../../base/core/once.ts';
import { FLEET_FILES, fleetFilesOf, sharedFilesIn } from '../../../base/core/shared-files.ts';
import { errorCode } from '../disk-error.ts';
import { BrokenRecord } from './broken-record.ts';
import { type BundleRecord, clusterOfRecord, FLEET_RECORD, parseRecord, recordOf, recordsIn } from './bundle-record.ts';
import { type Journal, parseJournal } from './journal.ts';
import { type KnownFolder, knownFolder } from './known-folder.ts';
import { OLD_RECORD, parseOldRecord } from './old-record.ts';
import { readIfThere } from './read-if-there.ts';

/** The files that weft wrote: those of the records, those in the journal of a killed run, and shared files of these clusters. */
export interface KnownFiles {
  /** The records on disk that a request may change, by their paths. */
  readonly records: ReadonlySet<string>;
  /** `null` when the last run finished. */
  readonly journal: Journal | null;
  /** The folders, as `folderOf` has them, that may contain files of weft. */
  readonly folders: () => ReadonlySet<string>;
  /** The text of a record with `\n`, read again every time; `null` without one. */
  readonly textOf: (record: string) => string | null;
  /** The rows of a record, with its text for whoever has that already. */
  readonly rowsOf: (record: string, text?: string | null) => BundleRecord;
  /** `own`: the record of the folder's cluster, for whoever has its text or even its rows already. */
  readonly inFolder: (folder: string, own?: OwnRecord) => KnownFolder;
  /** Rows of files that a request does not cover. */
  readonly rowsOutside: (covered: (path: string) => boolean) => BundleRecord;
}

interface OwnRecord {
  readonly text: string | null;
  readonly rows?: BundleRecord | undefined;
}

/**
 * Opens what a request may change: `scope` is as in a request, and records of other clusters are not read. A record is read when
 * somebody asks for its folder. Whatever cannot be read is thrown, as a `BrokenRecord`.
 */
export function openKnownFiles(root: string, scope: readonly string[] | null): KnownFiles {
  const oldText = readIfThere(join(root, OLD_RECORD));
  // The old record has rows of all clusters, which are moved to their records.
  const records = recordsIn(ownPaths(root), oldText === null ? scope : null);
  const old = oldText === null ? NO_ROWS : parsed(root, OLD_RECORD, parseOldRecord(oldText)).record;
  const journalText = readIfThere(join(root, OWN_PATHS.journal));
  const journal = journalText === null ? null : parsed(root, OWN_PATHS.journal, parseJournal(journalText)).journal;
  return knownFiles(root, { records: new Set(oldText === null ? records : [OLD_RECORD, ...records]), old, journal });
}

function parsed<R extends { readonly ok: boolean }>(
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
    const text = records.has(record) ? readIfThere(join(root, record)) : null;
    return text === null ? null : withLf(text);
  };
  const rowsOf = (record: string, text = textOf(record)): BundleRecord => {
    if (text === null) return NO_ROWS;
    const rows = parsed(root, record, parseRecord(text)).record;
    // A row in the record of another cluster is not from weft.
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
        rows: joined(oldRows.get(folder) ?? NO_ROWS, rows),
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
      return new Map([...joined(old, rows)].filter(([path]) => !covered(path)));
    },
  };
}

function clustersAmong(records: readonly string[], paths: readonly string[]): ReadonlySet<string> {
  const all = [...records.map(clusterOfRecord), ...paths.map(clusterFolderOf)];
  return new Set(all.filter((it) => it !== undefined));
}

/** The hashes of a path in both. */
function joined(a: BundleRecord, b: BundleRecord): BundleRecord {
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

/** The paths in weft's own folder. */
function ownPaths(root: string): readonly string[] {
  try {
    return readdirSync(join(root, OWN_FOLDER)).map((it) => `${OWN_FOLDER}/${it}`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

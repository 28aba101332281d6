import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { clusterFolderOf, OWN_FOLDER, OWN_PATHS, parseBundlePath } from '../../core/bundle-path.ts';
import { withLf } from '../../core/line-ends.ts';
import { FLEET_FILES, isGenerated, isShared, sharedFilesOf } from '../../core/shared-files.ts';
import { errorCode } from '../disk-error.ts';
import { EnvironmentError } from '../environment-error.ts';
import { type BundleRecord, clusterOfRecord, parseRecord, recordOf, recordsIn } from './bundle-record.ts';
import { entryAt } from './disk-view.ts';
import { type Journal, parseJournal } from './journal.ts';
import { OLD_RECORD, parseOldRecord } from './old-record.ts';
import { brokenRecord } from './tree-problems.ts';
import type { TreeProblem } from './tree-request.ts';

/** The files that weft wrote: those of the records, those in the journal of a killed run, and shared files of these clusters. */
export interface KnownFiles {
  readonly rows: BundleRecord;
  /** The records on disk that a request may change: path -> text with `\n`. */
  readonly records: ReadonlyMap<string, string>;
  /** `null` when the last run finished. */
  readonly journal: Journal | null;
  /** All files that weft may have written, whether they are there or not. */
  readonly paths: () => ReadonlySet<string>;
  /** Whether a record or the journal names the file. */
  readonly isListed: (path: string) => boolean;
  /** Whether weft wrote the file that is there, edited since or not. */
  readonly isOurs: (path: string) => boolean;
  /** Whether the file that is there is as weft wrote it; `hashOf` calculates the hash of its text. */
  readonly wrote: (path: string, hashOf: () => string) => boolean;
}

type Failed = { readonly problems: readonly TreeProblem[] };

/** `scope` as in a request: records of other clusters are not read. */
export function readKnownFiles(root: string, scope: readonly string[] | null): KnownFiles | Failed {
  const records = readRecords(root, scope);
  const rows = rowsOf(root, records);
  if ('problems' in rows) return rows;
  const journalText = readIfThere(join(root, OWN_PATHS.journal));
  const journal = journalText === null ? null : parseJournal(journalText);
  if (journal?.ok === false) return { problems: [brokenRecord(root, OWN_PATHS.journal, journal.message)] };
  return knownFiles(root, { rows: rows.record, records, journal: journal?.journal ?? null });
}

function readRecords(root: string, scope: readonly string[] | null): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  const old = readIfThere(join(root, OLD_RECORD));
  if (old !== null) records.set(OLD_RECORD, old);
  // The old record has rows of all clusters, which are moved to their records.
  for (const path of recordsIn(namesIn(join(root, OWN_FOLDER)), old === null ? scope : null)) {
    const text = readIfThere(join(root, path));
    if (text !== null) records.set(path, withLf(text));
  }
  return records;
}

function rowsOf(root: string, records: ReadonlyMap<string, string>): { readonly record: BundleRecord } | Failed {
  const all = new Map<string, readonly string[]>();
  for (const [path, text] of records) {
    const read = path === OLD_RECORD ? parseOldRecord(text) : parseRecord(text);
    if (!read.ok) return { problems: [brokenRecord(root, path, read.message)] };
    for (const [file, hashes] of read.record) {
      // A row in the record of another cluster is not from weft, and that record is perhaps not read now.
      if (path === OLD_RECORD || recordOf(file) === path) all.set(file, [...(all.get(file) ?? []), ...hashes]);
    }
  }
  return { record: all };
}

function knownFiles(root: string, read: Pick<KnownFiles, 'rows' | 'records' | 'journal'>): KnownFiles {
  const { rows, records, journal } = read;
  const isListed = (path: string): boolean => rows.has(path) || journal?.has(path) === true;
  const isOurShared = (path: string): boolean => isShared(path) && isGenerated(startOfFile(join(root, path)));
  return {
    ...read,
    paths: () => {
      const listed = [...rows.keys(), ...(journal?.keys() ?? [])];
      const clusters = new Set([...listed.map(clusterFolderOf), ...[...records.keys()].map(clusterOfRecord)]);
      const shared = [...clusters].flatMap((it) => (it === undefined ? [] : sharedFilesOf(it)));
      return new Set([...listed, ...shared, ...(clusters.size === 0 ? [] : FLEET_FILES)]);
    },
    isListed,
    isOurs: (path) => isListed(path) || isOurShared(path) || (isListOfCluster(path) && records.has(recordOf(path))),
    wrote: (path, hashOf) => {
      if (isShared(path)) return isOurShared(path);
      const hash = hashOf();
      return rows.get(path)?.includes(hash) === true || journal?.get(path)?.includes(hash) === true;
    },
  };
}

/** Whether a path is that of the one file which every cluster with a record has. */
const isListOfCluster = (path: string): boolean => parseBundlePath(path)?.part === 'kustomization';

/** In bytes. The first line of a generated file is shorter, since it names one file of the topology. */
const START_BYTES = 4096;

function startOfFile(path: string): string {
  const bytes = Buffer.alloc(START_BYTES);
  const file = openSync(path, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** A record has a line for each file of a cluster, and the old one for each file of the fleet. */
const LARGEST_RECORD_BYTES = 256 * 1024 * 1024;

/** Nothing but a file is read: the problems of a request report what else is at the path. */
function readIfThere(path: string): string | null {
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

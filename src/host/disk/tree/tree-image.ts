import { bug } from '../../../base/diagnostics/outcome.ts';
import type { Stamp } from './stamps.ts';

/**
 * The memory of a written tree: the wanted files with their hashes, and the stamps under which they, and the folders above
 * them, were as wanted. Columns of bytes, because a fleet of 10,000 links has a quarter of a million entries.
 */
export interface TreeImage {
  /** The folders directly below root, in the form of `folderOf`. */
  readonly groups: ReadonlyMap<string, ImageGroup>;
  /** A row of bytes for each entry but missing ones; zeros if the stamp is unknown. */
  readonly stamps: Buffer;
  /** A row for each file and each record. */
  readonly hashes: Buffer;
  /** All of it, as it is in a file. */
  readonly bytes: Buffer;
}

/** The entries of one folder below root; `entriesIn` reads them. */
interface ImageGroup {
  readonly folder: string;
  /** The version of the wanted files; empty if it is unknown. */
  readonly version: string;
  /** A line for each entry. */
  readonly lines: Buffer;
  /** The indices of the first stamp and of the first hash. */
  readonly firstStamp: number;
  readonly firstHash: number;
}

/**
 * `file`: a wanted file. `record`: a record, in weft's own folder. `folder`: a folder above a wanted file. `missing`: a folder in which
 * nothing is wanted, and which does not exist.
 */
type EntryType = 'file' | 'record' | 'folder' | 'missing';

export interface ImageEntry {
  readonly type: EntryType;
  /** The path below root. */
  readonly path: string;
  readonly stamp: number;
  readonly hash: number;
}

const MARKS: Readonly<Record<EntryType, string>> = { file: '=', record: '.', folder: '/', missing: '!' };
const TYPES: ReadonlyMap<string, EntryType> = new Map(
  Object.entries(MARKS).map(([type, mark]) => [mark, type as EntryType]),
);

const hasStampRow = (type: EntryType): boolean => type !== 'missing';
/** True for entries with a hash. */
export const hasHashRow = (type: EntryType): boolean => type === 'file' || type === 'record';

/** The entries of a group in the order in which they were added. */
export function entriesIn({ folder, lines, firstStamp, firstHash }: ImageGroup): readonly ImageEntry[] {
  if (lines.length === 0) return [];
  let [stamp, hash] = [firstStamp, firstHash];
  return lines
    .toString()
    .split('\n')
    .map((line) => {
      const type = TYPES.get(line.slice(0, 1)) ?? bug(`a line of no entry: ${line}`);
      const entry = { type, path: type === 'record' ? line.slice(1) : folder + line.slice(1), stamp, hash };
      if (hasStampRow(type)) stamp++;
      if (hasHashRow(type)) hash++;
      return entry;
    });
}

const HASH_BYTES = 32;

/** The fields of one stamp, and their bytes. */
const fields = new BigInt64Array(5);
const fieldBytes = Buffer.from(fields.buffer);
const STAMP_BYTES = fields.byteLength;

/** The bytes of a stamp, valid until the next call. */
function stampBytes({ dev, ino, size, mtimeNs, ctimeNs }: Stamp): Buffer {
  fields[0] = dev;
  fields[1] = ino;
  fields[2] = size;
  fields[3] = mtimeNs;
  fields[4] = ctimeNs;
  return fieldBytes;
}

/** True when an entry has the stamp under which it was as wanted. */
export const hasStamp = ({ stamps }: TreeImage, row: number, it: Stamp): boolean =>
  it.ctimeNs !== 0n && stampBytes(it).compare(stamps, row * STAMP_BYTES, (row + 1) * STAMP_BYTES) === 0;

/** Changes the stamp of an entry, also in `bytes`. */
export const setStamp = ({ stamps }: TreeImage, row: number, it: Stamp): void => {
  stampBytes(it).copy(stamps, row * STAMP_BYTES);
};

/** A hash in hex. */
export const hashAt = ({ hashes }: TreeImage, row: number): string =>
  hashes.toString('hex', row * HASH_BYTES, (row + 1) * HASH_BYTES);

/** Collects an image entry by entry. */
interface ImageBuilder {
  readonly startGroup: (folder: string, version: string) => void;
  /** Adds an entry to the last group: its stamp if that is known, and the hash of a file or a record. */
  readonly add: (type: EntryType, path: string, stamp?: Stamp, hash?: string) => void;
  /** The bytes of the image. */
  readonly finish: () => readonly Buffer[];
}

export function imageBuilder(): ImageBuilder {
  const text: Buffer[] = [];
  const [stamps, hashes] = [rows(STAMP_BYTES), rows(HASH_BYTES)];
  let group = { folder: '', version: '', lines: [] as string[], stamps: 0, hashes: 0 };
  // Bytes instead of strings, which would keep every path in memory.
  const endGroup = (): void => {
    if (group.lines.length === 0) return;
    const lines = Buffer.from(group.lines.join('\n'));
    const head = [group.folder, group.version, lines.length, group.stamps, group.hashes];
    text.push(Buffer.from(`${JSON.stringify(head)}\n`), lines);
  };
  return {
    startGroup: (folder, version) => {
      endGroup();
      group = { folder, version, lines: [], stamps: 0, hashes: 0 };
    },
    add: (type, path, stamp, hash = '') => {
      group.lines.push(MARKS[type] + (type === 'record' ? path : path.slice(group.folder.length)));
      if (hasStampRow(type)) {
        group.stamps++;
        const row = stamps.next();
        if (stamp !== undefined) stampBytes(stamp).copy(row);
      }
      if (hasHashRow(type)) {
        group.hashes++;
        hashes.next().write(hash, 'hex');
      }
    },
    finish: () => {
      endGroup();
      const columns = [Buffer.concat(text), stamps.all(), hashes.all()];
      return [Buffer.from(`${JSON.stringify(columns.map((it) => it.length))}\n`), ...columns];
    },
  };
}

const FIRST_ROWS = 256;

/** A growing column; new rows have zeros. */
function rows(rowBytes: number): { readonly next: () => Buffer; readonly all: () => Buffer } {
  let bytes = Buffer.alloc(rowBytes * FIRST_ROWS);
  let used = 0;
  return {
    next: () => {
      if (used === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2);
      used += rowBytes;
      return bytes.subarray(used - rowBytes, used);
    },
    all: () => bytes.subarray(0, used),
  };
}

/** The image in some bytes that `imageBuilder` made; `undefined` for others. */
export function readImage(bytes: Buffer): TreeImage | undefined {
  const [sizes, start] = headAt(bytes, 0);
  const [text, stamps, hashes] = sizes;
  if (typeof text !== 'number' || typeof stamps !== 'number' || typeof hashes !== 'number') return undefined;
  const ends = [text, stamps, hashes].map((_, i, all) => start + all.slice(0, i + 1).reduce((sum, it) => sum + it, 0));
  if (ends[2] !== bytes.length) return undefined;
  const groups = readGroups(bytes.subarray(start, ends[0]), {
    stamps: stamps / STAMP_BYTES,
    hashes: hashes / HASH_BYTES,
  });
  return groups && { groups, stamps: bytes.subarray(ends[0], ends[1]), hashes: bytes.subarray(ends[1]), bytes };
}

function readGroups(
  text: Buffer,
  rowsOf: { readonly stamps: number; readonly hashes: number },
): ReadonlyMap<string, ImageGroup> | undefined {
  const groups = new Map<string, ImageGroup>();
  let [firstStamp, firstHash] = [0, 0];
  for (let at = 0; at < text.length; ) {
    const [[folder, version, length, stamps, hashes], start] = headAt(text, at);
    if (typeof folder !== 'string' || typeof version !== 'string') return undefined;
    if (typeof length !== 'number' || typeof stamps !== 'number' || typeof hashes !== 'number') return undefined;
    groups.set(folder, { folder, version, lines: text.subarray(start, start + length), firstStamp, firstHash });
    firstStamp += stamps;
    firstHash += hashes;
    at = start + length;
  }
  return firstStamp === rowsOf.stamps && firstHash === rowsOf.hashes ? groups : undefined;
}

/** The values in a line of JSON, and the offset behind it. */
function headAt(bytes: Buffer, at: number): readonly [values: readonly unknown[], end: number] {
  const end = bytes.indexOf('\n', at);
  if (end === -1) return [[], bytes.length];
  const values: unknown = JSON.parse(bytes.toString('utf8', at, end));
  return [Array.isArray(values) ? values : [], end + 1];
}

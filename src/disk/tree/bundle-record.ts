import { by } from '../../core/order.ts';
import { pathFault } from './tree-path.ts';

/** The files below root that weft wrote: path -> sha256 of the bytes, in hex. */
export type BundleRecord = ReadonlyMap<string, string>;

type RecordResult =
  | { readonly ok: true; readonly record: BundleRecord }
  | { readonly ok: false; readonly message: string };

const VERSION = 1;
const CONFLICT_MARK = /^(<{7}|={7}|>{7})( |\r?$)/m;

/** One row per line, sorted, without a date or a version of weft, so that pull requests rarely conflict in it. */
export function printRecord(record: BundleRecord): string {
  const rows = [...record]
    .sort(by(([path]) => path))
    .map(([path, hash]) => `    ${JSON.stringify(path)}: ${JSON.stringify(hash)}`);
  const files = rows.length === 0 ? '{}' : `{\n${rows.join(',\n')}\n  }`;
  return `{\n  "version": ${VERSION},\n  "files": ${files}\n}\n`;
}

/**
 * Accepts rows in any order and repeated rows, which a merge can produce: the last one counts. A record with the marks of a
 * merge conflict has the rows of both branches. Weft wrote the files of both, and the next compile rewrites the record.
 */
export function parseRecord(text: string): RecordResult {
  if (CONFLICT_MARK.test(text)) return { ok: true, record: rowsOfBothSides(text) };
  const read = readVersioned(text);
  if (typeof read === 'string') return broken(read);
  const record = new Map<string, string>();
  for (const [path, hash] of Object.entries(read)) {
    const fault = pathFault(path);
    if (fault !== undefined) return broken(`names ${JSON.stringify(path)}, which ${fault}`);
    if (!isHash(hash)) return broken(`has no SHA-256 for ${JSON.stringify(path)}`);
    record.set(path, hash);
  }
  return { ok: true, record };
}

function rowsOfBothSides(text: string): BundleRecord {
  const record = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, path, hash] = /^ {4}("(?:[^"\\]|\\.)*"): "([0-9a-f]{64})",?\r?$/.exec(line) ?? [];
    const name = path === undefined ? undefined : parseJson(path);
    if (typeof name === 'string' && hash !== undefined && pathFault(name) === undefined) record.set(name, hash);
  }
  return record;
}

/** The `files` of one of weft's versioned JSON files, or what is wrong with it. */
export function readVersioned(text: string): Readonly<Record<string, unknown>> | string {
  const value = parseJson(text);
  if (!isMap(value)) return 'is not the JSON that weft writes';
  const version = value['version'];
  if (typeof version === 'number' && version > VERSION) return `is of version ${version}, which a newer weft wrote`;
  if (version !== VERSION || !isMap(value['files'])) return 'is not the JSON that weft writes';
  return value['files'];
}

/** Whether this is a SHA-256 in hex as weft prints it. */
export const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

const broken = (message: string): RecordResult => ({ ok: false, message });

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

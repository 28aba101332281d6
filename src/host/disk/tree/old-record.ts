import { OWN_FOLDER } from '../../../base/core/bundle-path.ts';
import { type BundleRecord, isHash } from './bundle-record.ts';
import { pathFault } from './tree-path.ts';

/** The one record that earlier versions wrote for all clusters. It is read once, and replaced by a record per cluster. */
export const OLD_RECORD = `${OWN_FOLDER}/bundle.json`;

type RecordResult =
  | { readonly ok: true; readonly record: BundleRecord }
  | { readonly ok: false; readonly message: string };

const VERSION = 1;
const CONFLICT_MARK = /^(<{7}|={7}|>{7})( |\r?$)/m;

/**
 * Accepts rows in any order and repeated rows, which a merge can produce: the last one counts. A record with the marks of a
 * merge conflict has the rows of both branches. Weft wrote the files of both.
 */
export function parseOldRecord(text: string): RecordResult {
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

/** The `files` of one of weft's versioned JSON files, or what is wrong with it. */
export function readVersioned(text: string): Readonly<Record<string, unknown>> | string {
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

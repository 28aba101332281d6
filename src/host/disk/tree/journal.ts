import { by } from '../../../base/core/collections.ts';
import { isHash, readVersioned } from './bundle-record.ts';
import { pathFault } from './tree-path.ts';

/**
 * Files that weft is about to write, before the record lists them: path -> hashes of the bytes that this run, or an
 * earlier killed run, may have written. A path has several hashes when several runs in a row were killed.
 */
export type Journal = ReadonlyMap<string, readonly string[]>;

type JournalResult =
  | { readonly ok: true; readonly journal: Journal }
  | { readonly ok: false; readonly message: string };

export function printJournal(journal: Journal): string {
  const rows = [...journal]
    .sort(by(([path]) => path))
    .map(([path, hashes]) => `${JSON.stringify(path)}: ${JSON.stringify(hashes)}`);
  return `{"version": 1, "files": {\n${rows.join(',\n')}\n}}\n`;
}

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

/** Returns a journal with further rows; different hashes of the same path are all kept. */
export function addToJournal(journal: Journal, rows: Iterable<readonly [string, string]>): Journal {
  const all = new Map(journal);
  for (const [path, hash] of rows) {
    const known = all.get(path) ?? [];
    if (!known.includes(hash)) all.set(path, [...known, hash]);
  }
  return all;
}

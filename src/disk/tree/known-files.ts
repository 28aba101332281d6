import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_PATHS } from '../../core/bundle-path.ts';
import { errorCode } from '../disk-error.ts';
import { type BundleRecord, parseRecord } from './bundle-record.ts';
import { type Journal, parseJournal } from './journal.ts';
import { brokenRecord } from './tree-problems.ts';
import type { TreeProblem } from './tree-request.ts';

/** The files that weft wrote: those of the record, and those in the journal of a killed run. */
export interface KnownFiles {
  readonly record: BundleRecord;
  /** The record's text on disk; `null` without one. */
  readonly recordText: string | null;
  /** `null` when the last run finished. */
  readonly journal: Journal | null;
  readonly paths: () => ReadonlySet<string>;
  readonly isOurs: (path: string) => boolean;
  /** Whether weft may have written bytes of this hash there. */
  readonly wrote: (path: string, hash: string) => boolean;
}

export function readKnownFiles(root: string): KnownFiles | { readonly problems: readonly TreeProblem[] } {
  const recordText = readIfThere(join(root, OWN_PATHS.record));
  const journalText = readIfThere(join(root, OWN_PATHS.journal));
  const record = recordText === null ? null : parseRecord(recordText);
  const journal = journalText === null ? null : parseJournal(journalText);
  if (record?.ok === false) return { problems: [brokenRecord(root, OWN_PATHS.record, record.message)] };
  if (journal?.ok === false) return { problems: [brokenRecord(root, OWN_PATHS.journal, journal.message)] };
  return knownFiles(recordText, record?.record ?? new Map(), journal?.journal ?? null);
}

function knownFiles(recordText: string | null, record: BundleRecord, journal: Journal | null): KnownFiles {
  return {
    record,
    recordText,
    journal,
    paths: () => new Set([...record.keys(), ...(journal?.keys() ?? [])]),
    isOurs: (path) => record.has(path) || journal?.has(path) === true,
    wrote: (path, hash) => record.get(path) === hash || journal?.get(path)?.includes(hash) === true,
  };
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

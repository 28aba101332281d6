import { sortedUnique } from '../../../base/core/order.ts';
import { clusterOfRecord, printRecords } from './bundle-record.ts';
import type { FolderFinding } from './inspect-folder.ts';
import type { KnownFiles } from './known-files.ts';
import { OLD_RECORD } from './old-record.ts';
import { scopeCovers } from './tree-path.ts';

interface Records {
  /** Path below root -> text, `null` for one that must go. */
  readonly records: ReadonlyMap<string, string | null>;
  /** Those that must be written or removed. */
  readonly changedRecords: readonly string[];
}

/** The records of a scope, as they must be when all files are in place. */
export function recordsOf(
  findings: readonly FolderFinding[],
  known: KnownFiles,
  scope: readonly string[] | null,
): Records {
  const records = new Map<string, string | null>();
  const changed: string[] = [];
  const others: (readonly [string, readonly string[]])[] = [];
  for (const { rows } of findings) {
    if (rows?.of === 'fleet') others.push(...rows.rows);
    if (rows?.of !== 'cluster') continue;
    records.set(rows.record, rows.text);
    if (rows.isChanged) changed.push(rows.record);
  }
  if (scope !== null) others.push(...known.rowsOutside(scopeCovers(scope)));
  for (const [record, text] of printRecords(new Map(others))) {
    records.set(record, text);
    if (text !== known.textOf(record)) changed.push(record);
  }
  const gone = [...known.records].filter((it) => !records.has(it) && maySettle(it, scope));
  for (const it of gone) {
    // One that cannot be read is reported and stays. The old one was read already.
    if (it !== OLD_RECORD) known.rowsOf(it);
    records.set(it, null);
  }
  return { records, changedRecords: [...sortedUnique(changed), ...sortedUnique(gone)] };
}

/** Whether a request knows all files that a record can list. */
function maySettle(record: string, scope: readonly string[] | null): boolean {
  const cluster = clusterOfRecord(record);
  return cluster === undefined || scopeCovers(scope)(cluster);
}

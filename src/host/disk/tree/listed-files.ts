import { sharedFilesOf } from '../../../base/core/shared-files.ts';
import { clusterOfRecord, isRecord, parseRecord } from './bundle-record.ts';
import { OLD_RECORD, parseOldRecord } from './old-record.ts';

/**
 * All files that weft may have written, according to one record: its rows, and the shared files of its cluster. `undefined` if
 * the path is not that of a record. An unreadable record counts as empty: the files that it listed stay.
 */
export function listedFiles(path: string, text: string): readonly string[] | undefined {
  if (path !== OLD_RECORD && !isRecord(path)) return undefined;
  const read = path === OLD_RECORD ? parseOldRecord(text) : parseRecord(text);
  if (!read.ok) return [];
  const cluster = clusterOfRecord(path);
  return [...read.record.keys(), ...(cluster === undefined ? [] : sharedFilesOf(cluster))];
}

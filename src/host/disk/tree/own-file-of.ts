import { OWN_FOLDER } from '../../../base/core/bundle-path.ts';
import type { FolderFiles } from '../../../base/core/folder-files.ts';
import { isGenerated, isShared } from '../../../base/core/shared-files.ts';
import { isRecord, parseRecord } from './bundle-record.ts';
import { OLD_RECORD, parseOldRecord } from './old-record.ts';

/**
 * Whether weft wrote a file, according to the records among all files below `out/`; hidden files included. Where there is no
 * record, or an unreadable one, every file counts. The records are read when the first file is asked about.
 */
export function ownFileOf(files: FolderFiles): (path: string, text: string) => boolean {
  let isListed: ((path: string) => boolean) | undefined;
  return (path, text) => {
    isListed ??= listedIn(files.inFolder(OWN_FOLDER));
    return isListed(path) || (isShared(path) && isGenerated(text));
  };
}

function listedIn(files: ReadonlyMap<string, string>): (path: string) => boolean {
  const own = new Set<string>();
  const records = [...files].filter(([path]) => isRecord(path) || path === OLD_RECORD);
  if (records.length === 0) return () => true;
  for (const [path, text] of records) {
    const read = path === OLD_RECORD ? parseOldRecord(text) : parseRecord(text);
    if (!read.ok) return () => true;
    for (const it of read.record.keys()) own.add(it);
  }
  return (path) => own.has(path);
}

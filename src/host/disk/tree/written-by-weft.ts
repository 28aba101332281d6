import { folderOf } from '../../../base/core/folder-files.ts';
import { BrokenRecord } from './broken-record.ts';
import { type KnownFiles, openKnownFiles } from './known-files.ts';
import type { KnownFolder } from './known-folder.ts';

/** Whether a file below root is as weft wrote it; of a record that cannot be read, no file is. `hashOf` is asked for its hash. */
export function writtenByWeft(root: string): KnownFolder['wrote'] {
  const known = unlessBroken<KnownFiles>(() => openKnownFiles(root, null));
  const folders = new Map<string, KnownFolder | undefined>();
  return (path, hashOf) => {
    const name = folderOf(path);
    if (!folders.has(name))
      folders.set(
        name,
        unlessBroken(() => known?.inFolder(name)),
      );
    return folders.get(name)?.wrote(path, hashOf) ?? false;
  };
}

function unlessBroken<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof BrokenRecord) return undefined;
    throw error;
  }
}

import { clusterFolderOf } from '../../base/core/bundle-path.ts';
import type { FolderFiles } from '../../base/core/folder-files.ts';
import { clusterOfRecord, isRecord } from '../disk/tree/bundle-record.ts';
import { recordFiles } from '../disk/tree/record-files.ts';

/**
 * The text that `weft compile` writes at a path below `out/`, records included; `undefined` where it writes nothing. Only the
 * folder of that file is printed.
 */
export function wantedFile(bundle: FolderFiles): (path: string) => string | undefined {
  const fleetFolders = bundle.folders.filter((it) => clusterFolderOf(`${it}/`) === undefined);
  return (path) => {
    if (!isRecord(path)) return bundle.get(path);
    const cluster = clusterOfRecord(path);
    const folders = cluster === undefined ? fleetFolders : [cluster];
    return recordFiles(new Map(folders.flatMap((it) => [...bundle.inFolder(it)]))).get(path);
  };
}

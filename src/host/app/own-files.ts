import { isBundleFile } from '../../base/core/bundle-path.ts';
import { type FolderFiles, folderFiles } from '../../base/core/folder-files.ts';
import { ownFileOf } from '../disk/tree/own-file-of.ts';

/** Files that weft wrote, according to its records, or will write. */
export function ownFiles(found: FolderFiles, bundle: FolderFiles): FolderFiles {
  const isOurs = ownFileOf(found);
  const own = (folder: string): ReadonlyMap<string, string> => {
    const [files, wanted] = [found.inFolder(folder), bundle.inFolder(folder)];
    const isOwn = ([path, text]: readonly [string, string]): boolean =>
      isBundleFile(path) && (wanted.has(path) || isOurs(path, text));
    const all = [...files];
    // The same object tells whoever compares that there is nothing to compare.
    return all.every(isOwn) ? files : new Map(all.filter(isOwn));
  };
  const folders = found.folders.filter(isBundleFile);
  return folderFiles(new Map(folders.map((it) => [it, () => own(it)])));
}

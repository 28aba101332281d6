import { sortedUnique } from '../../base/core/order.ts';
import { isFile, isFolder } from './forge.ts';
import type { OpenTree } from './open-tree.ts';
import type { WantedFiles } from './wanted-files.ts';

/** Links and submodules at the paths of wanted files or of their folders. weft makes none, so they belong to somebody else. */
export async function linksInTheWay(tree: OpenTree, { files }: WantedFiles): Promise<readonly string[]> {
  const wanted = [...files].filter(([, text]) => text !== null).flatMap(([path]) => withFolders(path));
  const found: string[] = [];
  for (const path of sortedUnique(wanted)) {
    const entry = await tree.entryAt(path);
    if (entry !== undefined && !isFile(entry) && !isFolder(entry)) found.push(path);
  }
  return found;
}

const withFolders = (path: string): readonly string[] =>
  path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'));

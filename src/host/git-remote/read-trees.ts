import { splitNames } from '../disk/git-objects.ts';
import { type ForgeContent, isFolder, type TreeEntry } from '../forge/forge.ts';
import type { GitRemote } from './git-remote.ts';
import type { Folder } from './plan-tree.ts';

export interface TreeReader extends Pick<ForgeContent, 'readFolder' | 'listFiles'> {}

/** Folders of trees. git lists a tree with everything below it at once, so every tree is read once. */
export function readTrees({ ask, needTree }: GitRemote): TreeReader {
  const folders = new Map<string, Folder>();
  const readFolder = async (tree: string): Promise<Folder> => {
    const known = folders.get(tree);
    if (known !== undefined) return known;
    await needTree(tree);
    const listed = await ask(`read the tree ${tree}`, ['ls-tree', '-r', '-t', '-z', '--full-tree', tree]);
    const found = new Map<string, Map<string, TreeEntry>>([['', new Map()]]);
    for (const line of splitNames(listed)) {
      const tab = line.indexOf('\t');
      const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
      const path = line.slice(tab + 1);
      const entry = { mode, id };
      const slash = path.lastIndexOf('/');
      found.get(path.slice(0, Math.max(slash, 0)))?.set(path.slice(slash + 1), entry);
      if (isFolder(entry)) {
        const below = new Map<string, TreeEntry>();
        found.set(path, below);
        folders.set(id, below);
      }
    }
    const root = found.get('') ?? new Map<string, TreeEntry>();
    folders.set(tree, root);
    return root;
  };
  const addFiles = async (files: Map<string, TreeEntry>, above: string, tree: string): Promise<void> => {
    for (const [name, entry] of await readFolder(tree)) {
      if (isFolder(entry)) await addFiles(files, `${above}${name}/`, entry.id);
      else files.set(above + name, entry);
    }
  };
  return {
    readFolder,
    listFiles: async (tree) => {
      const files = new Map<string, TreeEntry>();
      await addFiles(files, '', tree);
      return files;
    },
  };
}

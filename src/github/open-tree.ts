import { type Forge, isFolder, type TreeEntry } from './forge.ts';

/** A tree whose entries can be read by path. */
export interface OpenTree {
  readonly id: string;
  readonly entryAt: (path: string) => Promise<TreeEntry | undefined>;
}

/**
 * A tree of the forge, read at once if one response can contain it. In a larger repository only the folders above the
 * requested paths are read, each once.
 */
export async function openTree(forge: Forge, id: string): Promise<OpenTree> {
  const files = await forge.listFiles(id);
  if (files !== null) return { id, entryAt: async (path) => files.get(path) };
  const folders = new Map<string, ReturnType<Forge['readFolder']>>();
  const folder = (tree: string): ReturnType<Forge['readFolder']> => {
    const known = folders.get(tree) ?? forge.readFolder(tree);
    folders.set(tree, known);
    return known;
  };
  return { id, entryAt: (path) => walk(folder, id, path.split('/')) };
}

async function walk(
  folder: Forge['readFolder'],
  tree: string,
  [name = '', ...rest]: readonly string[],
): Promise<TreeEntry | undefined> {
  const entry = (await folder(tree)).get(name);
  if (entry === undefined || rest.length === 0) return entry;
  return isFolder(entry) ? walk(folder, entry.id, rest) : undefined;
}

/** The text of a file in a tree; `null` when no file is there. */
export async function textAt(forge: Forge, tree: OpenTree, path: string): Promise<string | null> {
  const entry = await tree.entryAt(path);
  return entry === undefined || !entry.mode.startsWith('100') ? null : forge.readText(entry.id);
}

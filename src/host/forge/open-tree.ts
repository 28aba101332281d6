import { type Forge, isFolder, type TreeEntry } from './forge.ts';

/** A tree whose entries can be read by path. */
export interface OpenTree {
  readonly id: string;
  readonly entryAt: (path: string) => Promise<TreeEntry | undefined>;
  /** The names of the files in a folder itself; none without such a folder. */
  readonly namesIn: (folder: string) => Promise<readonly string[]>;
}

/**
 * A tree of the forge, read at once if one response can contain it. In a larger repository only the folders above the
 * requested paths are read, each once.
 */
export async function openTree(forge: Forge, id: string): Promise<OpenTree> {
  const files = await forge.listFiles(id);
  if (files !== null) {
    return { id, entryAt: async (path) => files.get(path), namesIn: async (path) => namesBelow(files, `${path}/`) };
  }
  const folders = new Map<string, ReturnType<Forge['readFolder']>>();
  const folder = (tree: string): ReturnType<Forge['readFolder']> => {
    const known = folders.get(tree) ?? forge.readFolder(tree);
    folders.set(tree, known);
    return known;
  };
  const entryAt = (path: string) => walk(folder, id, path.split('/'));
  return {
    id,
    entryAt,
    namesIn: async (path) => {
      const entry = await entryAt(path);
      if (entry === undefined || !isFolder(entry)) return [];
      return [...(await folder(entry.id))].filter(([, it]) => !isFolder(it)).map(([name]) => name);
    },
  };
}

const namesBelow = (files: ReadonlyMap<string, TreeEntry>, start: string): readonly string[] =>
  [...files.keys()]
    .filter((it) => it.startsWith(start))
    .map((it) => it.slice(start.length))
    .filter((it) => !it.includes('/'));

async function walk(
  folder: Forge['readFolder'],
  tree: string,
  [name = '', ...rest]: readonly string[],
): Promise<TreeEntry | undefined> {
  const entry = (await folder(tree)).get(name);
  if (entry === undefined || rest.length === 0) return entry;
  return isFolder(entry) ? walk(folder, entry.id, rest) : undefined;
}

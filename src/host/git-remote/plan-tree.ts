import { isFolder, type TreeEntry } from '../forge/forge.ts';

/** The entries of a folder by their names. */
export type Folder = ReadonlyMap<string, TreeEntry>;

/** A folder that git does not have yet. */
export type NewFolder = ReadonlyMap<string, NewEntry>;

export type NewEntry =
  | { readonly kind: 'known'; readonly entry: TreeEntry }
  | { readonly kind: 'new'; readonly folder: NewFolder };

/** An entry at a path; `null` for none. */
export interface PathEdit {
  readonly path: readonly string[];
  readonly entry: TreeEntry | null;
}

/** A folder with some entries added, replaced or removed. A folder that becomes empty is removed, since git has none. */
export async function planTree(
  read: (tree: string) => Promise<Folder>,
  base: string | null,
  edits: readonly PathEdit[],
): Promise<NewFolder> {
  const entries = new Map<string, NewEntry>();
  if (base !== null) for (const [name, entry] of await read(base)) entries.set(name, { kind: 'known', entry });
  const below = new Map<string, PathEdit[]>();
  for (const { path, entry } of edits) {
    const [name = '', ...rest] = path;
    if (rest.length > 0) below.set(name, [...(below.get(name) ?? []), { path: rest, entry }]);
    else if (entry === null) entries.delete(name);
    else entries.set(name, { kind: 'known', entry });
  }
  for (const [name, inside] of below) {
    const known = entries.get(name);
    const tree = known?.kind === 'known' && isFolder(known.entry) ? known.entry.id : null;
    // What is deleted below a file was deleted together with its folder.
    if (tree === null && inside.every((it) => it.entry === null)) continue;
    const folder = await planTree(read, tree, inside);
    if (folder.size === 0) entries.delete(name);
    else entries.set(name, { kind: 'new', folder });
  }
  return entries;
}

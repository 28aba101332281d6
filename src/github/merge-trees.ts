import { type Forge, isFolder, type TreeEdit, type TreeEntry } from './forge.ts';

/** What two branches made of the same tree. All are names of trees. */
export interface Diverged {
  readonly before: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface TreeMerge {
  /** What has to be done to `ours` so that it has what `theirs` did as well. */
  readonly edits: readonly TreeEdit[];
  /** Paths that both changed, each in its own way. */
  readonly conflicts: readonly string[];
}

type Folder = ReadonlyMap<string, TreeEntry>;

/**
 * A three-way merge by whole files, as git does it before it looks into them. Only folders that both sides changed are
 * read, so a large repository costs as little as a small one.
 */
export async function mergeTrees(forge: Forge, trees: Diverged): Promise<TreeMerge> {
  const edits: TreeEdit[] = [];
  const conflicts: string[] = [];
  await mergeFolder(forge, '', trees, { edits, conflicts });
  return { edits, conflicts };
}

interface Found {
  readonly edits: TreeEdit[];
  readonly conflicts: string[];
}

async function mergeFolder(forge: Forge, path: string, trees: Partial<Diverged>, found: Found): Promise<void> {
  const before = await read(forge, trees.before);
  const ours = await read(forge, trees.ours);
  const theirs = await read(forge, trees.theirs);
  const names = [...new Set([...before.keys(), ...ours.keys(), ...theirs.keys()])].sort((a, b) => (a < b ? -1 : 1));
  for (const name of names) {
    await mergeEntry(forge, path + name, [before.get(name), ours.get(name), theirs.get(name)], found);
  }
}

type Three = readonly [TreeEntry | undefined, TreeEntry | undefined, TreeEntry | undefined];

async function mergeEntry(forge: Forge, path: string, three: Three, found: Found): Promise<void> {
  const [before, ours, theirs] = three;
  if (equal(theirs, ours) || equal(theirs, before)) return;
  if (equal(ours, before)) {
    found.edits.push(
      theirs === undefined
        ? { kind: 'delete', path, mode: before?.mode ?? '100644' }
        : { kind: 'put', path, entry: theirs },
    );
    return;
  }
  if (three.every((it) => it === undefined || isFolder(it))) {
    const [from, to, other] = three.map((it) => it?.id);
    await mergeFolder(forge, `${path}/`, { ...of('before', from), ...of('ours', to), ...of('theirs', other) }, found);
    return;
  }
  found.conflicts.push(path);
}

const of = (name: keyof Diverged, id: string | undefined): Partial<Diverged> =>
  id === undefined ? {} : { [name]: id };

const read = async (forge: Forge, tree: string | undefined): Promise<Folder> =>
  tree === undefined ? new Map() : forge.readFolder(tree);

const equal = (a: TreeEntry | undefined, b: TreeEntry | undefined): boolean => a?.id === b?.id && a?.mode === b?.mode;

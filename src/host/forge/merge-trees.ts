import { sortedUnique } from '../../base/core/order.ts';
import { type Forge, isFile, isFolder, type TreeEdit, type TreeEntry } from './forge.ts';

/** A tree and its versions on two branches. All are names of trees. */
interface Diverged {
  readonly before: string;
  readonly ours: string;
  readonly theirs: string;
}

interface TreeMerge {
  /** Edits that add the changes of `theirs` to `ours`. */
  readonly edits: readonly TreeEdit[];
  /** Paths that both changed differently. */
  readonly conflicts: readonly string[];
}

type Folder = ReadonlyMap<string, TreeEntry>;

/**
 * A three-way merge by whole files, as git does before it compares their content. Only folders that both sides changed are
 * read, so a large repository costs as little as a small one.
 */
export async function mergeTrees(forge: Forge, trees: Diverged): Promise<TreeMerge> {
  const edits: TreeEdit[] = [];
  const conflicts: string[] = [];
  await mergeFolder(forge, '', trees, { edits, conflicts });
  return { edits, conflicts };
}

interface Merged {
  readonly edits: TreeEdit[];
  readonly conflicts: string[];
}

async function mergeFolder(forge: Forge, path: string, trees: Partial<Diverged>, merged: Merged): Promise<void> {
  const before = await read(forge, trees.before);
  const ours = await read(forge, trees.ours);
  const theirs = await read(forge, trees.theirs);
  const names = sortedUnique([...before.keys(), ...ours.keys(), ...theirs.keys()]);
  for (const name of names) {
    await mergeEntry(forge, path + name, [before.get(name), ours.get(name), theirs.get(name)], merged);
  }
}

type Versions = readonly [TreeEntry | undefined, TreeEntry | undefined, TreeEntry | undefined];

async function mergeEntry(forge: Forge, path: string, versions: Versions, merged: Merged): Promise<void> {
  const [before, ours, theirs] = versions;
  if (equal(theirs, ours) || equal(theirs, before)) return;
  if (equal(ours, before)) {
    merged.edits.push(
      theirs === undefined
        ? { kind: 'delete', path, mode: before?.mode ?? '100644' }
        : { kind: 'put', path, entry: theirs },
    );
    return;
  }
  const file = mergeFile(versions);
  if (file !== undefined) {
    merged.edits.push({ kind: 'put', path, entry: file });
    return;
  }
  if (versions.every((it) => it === undefined || isFolder(it))) {
    const [from, to, other] = versions.map((it) => it?.id);
    await mergeFolder(
      forge,
      `${path}/`,
      { ...only('before', from), ...only('ours', to), ...only('theirs', other) },
      merged,
    );
    return;
  }
  merged.conflicts.push(path);
}

/** A file whose text changed on one side and whose mode on the other has both changes. */
function mergeFile([before, ours, theirs]: Versions): TreeEntry | undefined {
  if (before === undefined || ours === undefined || theirs === undefined) return undefined;
  if (![before, ours, theirs].every(isFile)) return undefined;
  const newer = (key: keyof TreeEntry): string | undefined =>
    theirs[key] === before[key] || theirs[key] === ours[key]
      ? ours[key]
      : ours[key] === before[key]
        ? theirs[key]
        : undefined;
  const [mode, id] = [newer('mode'), newer('id')];
  return mode === undefined || id === undefined ? undefined : { mode, id };
}

const only = (name: keyof Diverged, id: string | undefined): Partial<Diverged> =>
  id === undefined ? {} : { [name]: id };

const read = async (forge: Forge, tree: string | undefined): Promise<Folder> =>
  tree === undefined ? new Map() : forge.readFolder(tree);

const equal = (a: TreeEntry | undefined, b: TreeEntry | undefined): boolean => a?.id === b?.id && a?.mode === b?.mode;

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bug } from '../../base/diagnostics/outcome.ts';
import { splitNames } from '../disk/git-objects.ts';
import { type ForgeContent, isFolder, type TreeEntry } from '../forge/forge.ts';
import { pushBranches, readCommits, writeGitCommits } from './commits.ts';
import { type GitRemote, gitRemote } from './git-remote.ts';
import type { RemoteRepository } from './temporary-repository.ts';

type Calls = Omit<ForgeContent, 'close'>;

/**
 * The content part of a forge, implemented with git: commits are created in a temporary repository and pushed. The
 * repository is created by the first call that needs it.
 */
export function gitContent(remote: RemoteRepository, env: Readonly<Record<string, string | undefined>>): ForgeContent {
  let opened: Promise<{ readonly calls: Calls; readonly remove: () => Promise<void> }> | undefined;
  const open = async () => {
    const git = await gitRemote(remote, env);
    return { calls: callsOf(git), remove: git.remove };
  };
  const calls = async (): Promise<Calls> => {
    opened ??= open();
    return (await opened).calls;
  };
  return {
    headOf: async (branch) => (await calls()).headOf(branch),
    readCommit: async (id) => (await calls()).readCommit(id),
    compare: async (base, head) => (await calls()).compare(base, head),
    readFolder: async (tree) => (await calls()).readFolder(tree),
    listFiles: async (tree) => (await calls()).listFiles(tree),
    readTexts: async (blobs) => (await calls()).readTexts(blobs),
    writeBlob: async (text) => (await calls()).writeBlob(text),
    writeTree: async (base, edits) => (await calls()).writeTree(base, edits),
    writeCommit: async (commit) => (await calls()).writeCommit(commit),
    createBranch: async (branch, commit) => (await calls()).createBranch(branch, commit),
    moveBranch: async (branch, move) => (await calls()).moveBranch(branch, move),
    deleteBranch: async (branch, head) => (await calls()).deleteBranch(branch, head),
    authorOf: async (commit) => (await calls()).authorOf(commit),
    close: async () => {
      const known = opened;
      opened = undefined;
      // A repository that could not be opened has removed itself.
      await (await known?.catch(() => undefined))?.remove();
    },
  };
}

function callsOf(git: GitRemote): Calls {
  const commits = readCommits(git);
  const trees = readTrees(git);
  return {
    ...commits,
    ...trees,
    ...writeTrees(git, trees),
    ...writeGitCommits(git),
    ...pushBranches(git, commits.headOf),
  };
}

interface TreeReader extends Pick<ForgeContent, 'readFolder' | 'listFiles'> {}

/** Reads the folders of trees. git lists a tree with everything below it in one call, so every tree is read once. */
function readTrees({ ask, needTree }: GitRemote): TreeReader {
  const folders = new Map<string, FolderEntries>();
  const readFolder = async (tree: string): Promise<FolderEntries> => {
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

/** Writes blobs and trees with few processes: one for all blobs, and one for all trees of a depth. */
function writeTrees(remote: GitRemote, { readFolder }: TreeReader): Pick<ForgeContent, 'writeBlob' | 'writeTree'> {
  return {
    writeBlob: async (text) => (await writeBlobs(remote, [text]))[0] ?? bug('git wrote a file and named none'),
    writeTree: async (base, edits) => {
      const ids = await writeBlobs(
        remote,
        edits.flatMap((it) => (it.kind === 'write' ? [it.text] : [])),
      );
      let next = 0;
      const pathEdits = edits.map((it): PathEdit => {
        const path = it.path.split('/');
        if (it.kind === 'delete') return { path, entry: null };
        if (it.kind === 'put') return { path, entry: it.entry };
        return { path, entry: { mode: it.mode, id: ids[next++] ?? bug(`git wrote no file for ${it.path}`) } };
      });
      return writeFolder(remote, await planTree(readFolder, base, pathEdits));
    },
  };
}

async function writeBlobs({ ask, folder }: GitRemote, texts: readonly string[]): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const files = texts.map((_, i) => join(folder, `text-${i}`));
  await Promise.all(files.map((file, i) => writeFile(file, texts[i] ?? '')));
  const paths = files.map((it) => `${it}\n`).join('');
  const written = await ask('write files', ['hash-object', '-w', '--no-filters', '--stdin-paths'], paths);
  return linesOf(written);
}

const linesOf = (text: Buffer): readonly string[] => text.toString('latin1').split('\n').filter(Boolean);

/** Writes the deepest folders first, because the id of a folder depends on the folders in it. */
async function writeFolder({ ask }: GitRemote, root: NewFolder): Promise<string> {
  const ids = new Map<NewFolder, string>();
  const levels = levelsOf(root);
  for (const level of levels.toReversed()) {
    const trees = level.map((it) => printTree(it, (folder) => ids.get(folder) ?? bug('a folder has no name yet')));
    // Each tree ends with an empty entry. Objects may be missing here, as long as the server has them.
    const written = linesOf(await ask('write folders', ['mktree', '-z', '--batch', '--missing'], Buffer.concat(trees)));
    level.forEach((folder, i) => {
      ids.set(folder, written[i] ?? bug('git wrote a folder and named none'));
    });
  }
  return ids.get(root) ?? bug('git wrote no tree');
}

function levelsOf(root: NewFolder): readonly (readonly NewFolder[])[] {
  const levels: NewFolder[][] = [];
  for (let level: NewFolder[] = [root]; level.length > 0; ) {
    levels.push(level);
    level = level.flatMap((it) => [...it.values()].flatMap((entry) => (entry.kind === 'new' ? [entry.folder] : [])));
  }
  return levels;
}

function printTree(folder: NewFolder, idOf: (folder: NewFolder) => string): Buffer {
  const entryOf = (it: NewEntry): TreeEntry =>
    it.kind === 'known' ? it.entry : { mode: '040000', id: idOf(it.folder) };
  const lines = [...folder].map(([name, it]) => {
    const { mode, id } = entryOf(it);
    const type = isFolder({ mode, id }) ? 'tree' : mode === '160000' ? 'commit' : 'blob';
    return Buffer.concat([Buffer.from(`${mode} ${type} ${id}\t`), encodeName(name), Buffer.from('\0')]);
  });
  return Buffer.concat([...lines, Buffer.from('\0')]);
}

/** The bytes of a name decoded by `decodeName`: lone surrogates become bytes above 127 that are not UTF-8. */
function encodeName(name: string): Buffer {
  if (!/\p{Cs}/u.test(name)) return Buffer.from(name);
  return Buffer.from([...name].map((it) => it.charCodeAt(0) & 0xff));
}

type FolderEntries = ReadonlyMap<string, TreeEntry>;

/** A folder that does not exist in git yet. */
type NewFolder = ReadonlyMap<string, NewEntry>;

type NewEntry =
  | { readonly kind: 'known'; readonly entry: TreeEntry }
  | { readonly kind: 'new'; readonly folder: NewFolder };

/** A change of the entry at a path; `null` removes it. */
interface PathEdit {
  readonly path: readonly string[];
  readonly entry: TreeEntry | null;
}

/** Plans a folder with some entries added, replaced or removed. An empty folder is removed: git has none. */
async function planTree(
  read: (tree: string) => Promise<FolderEntries>,
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
    // Removals below a path that is no longer a folder need no action.
    if (tree === null && inside.every((it) => it.entry === null)) continue;
    const folder = await planTree(read, tree, inside);
    if (folder.size === 0) entries.delete(name);
    else entries.set(name, { kind: 'new', folder });
  }
  return entries;
}

import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { withLf } from '../../base/core/encodings.ts';
import {
  type FileTree,
  type FolderFiles,
  folderFiles,
  folderOf,
  type TreeFileKind,
} from '../../base/core/folder-files.ts';
import { once, oncePerText } from '../../base/core/once.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { EnvironmentError, GitError } from './disk-error.ts';
import { blobId, type ObjectFormat, PARTIAL_CLONE, readableText, readBlobsNow, splitNames } from './git-objects.ts';
import { FOLDER_MODE, type GitEntry, type GitReader, gitReader, type PathEntry } from './git-reader.ts';
import { decodeText, type ReadResult } from './read-text-file.ts';
import { firstLine, runGit } from './run-git.ts';

/** One commit of the repository around a folder. */
export interface GitCommit {
  /** The full object name of the commit. */
  readonly id: string;
  readonly objectFormat: ObjectFormat;
  /** The entries below a folder of the commit; a path that names a file has one entry with an empty path. */
  readonly treeBelow: (path: string) => Promise<FileTree>;
  /** Its parents, also where a shallow checkout lacks them. */
  readonly parents: () => Promise<readonly string[]>;
  /** The links and submodules at some paths, with the target of a link. */
  readonly linksAt: (paths: readonly string[]) => Promise<readonly LinkInCommit[]>;
  /** The paths that differ from an earlier commit, also outside of the folder; `D` for one that is gone. */
  readonly changesSince: (commit: string) => Promise<ReadonlyMap<string, string>>;
  /** The best common ancestors with another commit; empty when the fetched history does not contain one. */
  readonly mergeBasesWith: (commit: string) => Promise<readonly string[]>;
  /**
   * Every file at or below a path, by its path relative to it; empty when there are none.
   *
   * @param like files that are probably equal: files that match them are not read from git.
   */
  readonly filesBelow: (path: string, like: FolderFiles) => Promise<FolderFiles>;
  /** Reads one file under the same rules as a file on disk. */
  readonly readText: (path: string) => Promise<ReadResult>;
  readonly readTexts: (paths: readonly string[]) => Promise<readonly ReadResult[]>;
  /**
   * The names of the plain files in a folder, without those that begin with a dot; `undefined` when it is not a folder.
   */
  readonly namesIn: (folder: string) => Promise<readonly string[] | undefined>;
  /** Always `undefined`: only plain files are read from a commit, never links. */
  readonly linkBelow: () => Promise<undefined>;
}

interface LinkInCommit {
  readonly path: string;
  readonly kind: TreeFileKind;
  /** `null` for a name that is not UTF-8, and for a submodule. */
  readonly target: string | null;
}

/** Opens a commit by any name that git resolves. Paths are relative to `cwd`. */
export const openCommit = (cwd: string, ref: string): Promise<GitCommit> => commitsOf(cwd)(ref);

/** Opens commits of the repository around a folder, which share what was read of equal folders. */
export function commitsOf(cwd: string): (ref: string) => Promise<GitCommit> {
  const reader = gitReader(cwd);
  let place: CommitPlace | undefined;
  return async (ref) => {
    // The name of a branch may not have line breaks, which separate the questions.
    const found = place && !ref.includes('\n') ? await reader.find(`${ref}^{commit}`) : undefined;
    if (place !== undefined && found !== undefined) return commitById(place, found.id);
    const { root, id } = await resolveCommit(cwd, ref);
    place ??= { root, here: await realpath(cwd), reader };
    return commitById(place, id);
  };
}

/** One process finds the root and the commit: the root is printed even when there is no such commit. */
async function resolveCommit(cwd: string, ref: string): Promise<{ readonly root: string; readonly id: string }> {
  const named = ['rev-parse', '--show-toplevel', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const found = await runGit(cwd, named);
  const lines = found.stdout.toString().replace(/\n$/, '').split('\n');
  const id = found.ok ? (lines.pop() ?? '') : '';
  // The name of a folder may have line breaks.
  const root = lines.join('\n');
  if (found.ok) return { root, id };
  if (root === '') throw distrusted(found.stderr) ?? notARepository(ref, found.stderr);
  throw new GitError(
    `git finds no commit ${ref}`,
    (await isShallow(root))
      ? 'this checkout lacks most of the history: set `fetch-depth: 2` for actions/checkout if the base is HEAD^1, or `fetch-depth: 0`, or fetch the commit'
      : /^[0-9a-f]{40,64}$/.test(ref)
        ? 'fetch it, or set --base to the base branch: a push that rewrote the history of a branch removes its commits'
        : 'check the name, or fetch the commit first',
  );
}

interface CommitPlace {
  /** The root of the repository. */
  readonly root: string;
  /** The working folder, without links. */
  readonly here: string;
  readonly reader: GitReader;
}

function commitById({ root, here, reader }: CommitPlace, id: string): GitCommit {
  const objectFormat = id.length > 40 ? 'sha256' : 'sha1';
  const head = once(async (): Promise<string> => {
    const object = await reader.find(id);
    if (object === undefined) throw new GitError(`git has no commit ${id}`, PARTIAL_CLONE);
    return object.bytes.toString('latin1').split('\n\n', 1)[0] ?? '';
  });
  const parents = async (): Promise<readonly string[]> =>
    [...(await head()).matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent);
  const tree = async (): Promise<string> => treeOf(await head());
  const inTree = (path: string): string => inRepository(root, here, path);
  const entryAt = async (name: string): Promise<GitEntry | undefined> => reader.entryAt(await tree(), name);
  // Several parts of a command read the same folders and files.
  const entriesBelow = oncePerText(async (name): Promise<readonly PathEntry[]> => {
    const entry = await entryAt(name);
    return entry === undefined ? [] : reader.filesBelow(entry);
  });
  const textAt = oncePerText(async (name): Promise<ReadResult> => {
    const entry = await entryAt(name);
    if (entry === undefined || !isRegularFile(entry)) return { kind: 'missing' };
    const blobs = await reader.blobs([{ path: name, id: entry.id }]);
    return decodeText(blobs.get(name) ?? bug('a file was read and is not there'));
  });
  const readText = async (path: string): Promise<ReadResult> => textAt(inTree(path));
  return {
    id,
    objectFormat,
    parents,
    treeBelow: async (path) => commitTree(reader, await entriesBelow(inTree(path))),
    linksAt: async (paths) => {
      const found = paths.map(async (path): Promise<readonly LinkInCommit[]> => {
        const entry = await entryAt(inTree(path));
        if (entry?.mode === '160000') return [{ path, kind: 'submodule', target: null }];
        if (entry?.mode !== '120000') return [];
        const target = (await reader.blobs([{ path, id: entry.id }])).get(path);
        return [{ path, kind: 'link', target: target === undefined ? null : readableText(target) }];
      });
      return (await Promise.all(found)).flat();
    },
    changesSince: async (other) => {
      const listed = await runGit(root, ['diff-tree', '-r', '-z', '--name-status', '--no-renames', other, id]);
      if (!listed.ok) throw new GitError(`git cannot compare two commits: ${firstLine(listed.stderr)}`, PARTIAL_CLONE);
      const words = splitNames(listed.stdout);
      const paths = words.filter((_, i) => i % 2 === 1).map((it) => relative(here, resolve(root, it)));
      return new Map(paths.map((it, i) => [it.replaceAll('\\', '/'), words[2 * i] ?? '']));
    },
    mergeBasesWith: async (other) => {
      // A commit is the only best ancestor that it has in common with its child. That is what CI checks out: a merge of the base.
      if (other === id || (await parents()).includes(other)) return [other];
      const bases = await runGit(root, ['merge-base', '--all', '--end-of-options', id, other]);
      return bases.stdout.toString().split('\n').filter(Boolean);
    },
    filesBelow: async (path, like) => {
      const entries = (await entriesBelow(inTree(path))).filter(isRegularFile);
      return commitFiles({ root, reader, format: objectFormat, entries, like });
    },
    readText,
    readTexts: (paths) => Promise.all(paths.map(readText)),
    linkBelow: async () => undefined,
    namesIn: async (folder) => {
      const entry = await entryAt(inTree(folder));
      if (entry?.mode !== FOLDER_MODE) return undefined;
      const names = [...(await reader.tree(entry.id))].flatMap(([name, it]) => (isRegularFile(it) ? [name] : []));
      return names.filter((it) => !it.startsWith('.')).sort(byCodeUnit);
    },
  };
}

const treeOf = (head: string): string =>
  /^tree ([0-9a-f]+)$/m.exec(head)?.[1] ?? bug('git has a commit without a tree');

const isRegularFile = ({ mode }: GitEntry): boolean => mode.startsWith('100');

const notARepository = (ref: string, stderr: string): GitError =>
  new GitError(`cannot read ${ref}: ${firstLine(stderr)}`, `run weft inside a git repository, or ${COMPARE_FOLDER}`);

/** The hint names the command, because `weft pr` has no such option. */
const COMPARE_FOLDER = 'compare with a folder: "weft plan --base-dir DIR"';

/**
 * The error when git refuses a repository of another user, which is common in jobs in containers. It is not a
 * `GitError`, because the commit exists: a plan without its baseline would show less than it could.
 */
function distrusted(stderr: string): EnvironmentError | undefined {
  const [, root] = /detected dubious ownership in repository at '(.*)'/.exec(stderr) ?? [];
  if (root === undefined) return undefined;
  const hint = `run this first, in a job of a container too: git config --global --add safe.directory ${root}`;
  return new EnvironmentError(`git does not trust ${root}, because it belongs to another user`, hint);
}

function inRepository(root: string, here: string, path: string): string {
  const name = relative(root, resolve(here, path)).replaceAll('\\', '/');
  if (name.startsWith('..'))
    throw new GitError(
      `${path} is outside the repository ${root}`,
      `choose a path inside the repository, or ${COMPARE_FOLDER}`,
    );
  return name;
}

async function isShallow(root: string): Promise<boolean> {
  const answer = await runGit(root, ['rev-parse', '--is-shallow-repository']);
  return answer.stdout.toString().trim() === 'true';
}

type Files = ReadonlyMap<string, string>;

interface Blobs {
  /** Root of the repository. */
  readonly root: string;
  readonly reader: GitReader;
  readonly format: ObjectFormat;
  /** The files, with paths below the folder that is read. */
  readonly entries: readonly PathEntry[];
  /** Files that are probably equal. */
  readonly like: FolderFiles;
}

/** A fleet with so few folders is read at once: its texts need no room, and another process of git takes longer. */
const SMALL_FLEET = 32;

/** The largest number of folders that one process of git reads. */
const MOST_FOLDERS = 256;

/**
 * The texts of a commit, folder by folder, with `\n` line ends. A file is not read when its blob id equals that of the
 * same file in `like`. One process of git per folder costs more than reading its files, so in a large fleet each process
 * reads twice as many folders as the one before while folders differ.
 */
async function commitFiles({ root, reader, format, entries, like }: Blobs): Promise<FolderFiles> {
  const folders = groupBy(entries, (it) => [folderOf(it.path)]);
  const names = [...folders.keys()];
  const entriesIn = (folder: string): readonly PathEntry[] => folders.get(folder) ?? [];
  const compared = (folder: string): { readonly alike: Files; readonly others: readonly PathEntry[] } => {
    const alike = like.inFolder(folder);
    const isAlike = ({ path, id }: PathEntry): boolean => {
      const text = alike.get(path);
      return text !== undefined && blobId(text, format) === id;
    };
    return { alike, others: entriesIn(folder).filter((it) => !isAlike(it)) };
  };
  const textsOf = (folder: string, alike: Files, blobs: ReadonlyMap<string, Buffer>): Files =>
    new Map(entriesIn(folder).map(({ path }) => [path, blobText(blobs.get(path)) ?? alike.get(path) ?? '']));
  /** Returns the object of `like` where all files are equal. */
  const filesOf = (
    folder: string,
    { alike, others }: ReturnType<typeof compared>,
    blobs: ReadonlyMap<string, Buffer>,
  ) => (others.length === 0 && entriesIn(folder).length === alike.size ? alike : textsOf(folder, alike, blobs));

  if (names.length <= SMALL_FLEET) {
    const all = names.map((name) => ({ name, ...compared(name) }));
    const blobs = await reader.blobs(all.flatMap((it) => it.others));
    return folderFiles(new Map(all.map((it) => [it.name, once(() => filesOf(it.name, it, blobs))])));
  }

  const ahead = new Map<string, Files>();
  let together = 0;
  const positions = new Map(names.map((it, index) => [it, index]));
  const read = (folder: string): Files => {
    const there = ahead.get(folder);
    if (there !== undefined) {
      ahead.delete(folder);
      return there;
    }
    const found = compared(folder);
    together = found.others.length === 0 ? 0 : Math.min(MOST_FOLDERS, Math.max(1, together * 2));
    const at = positions.get(folder) ?? 0;
    const next = names.slice(at + 1, at + together).filter((it) => !ahead.has(it));
    const blobs = readBlobsNow(root, [...found.others, ...next.flatMap(entriesIn)]);
    for (const it of next) ahead.set(it, textsOf(it, NO_TEXTS, blobs));
    return filesOf(folder, found, blobs);
  };
  return folderFiles(new Map(names.map((it) => [it, () => read(it)])));
}

const NO_TEXTS: Files = new Map();

const blobText = (bytes: Buffer | undefined): string | undefined => bytes && withLf(bytes.toString());

/** Mode of a git entry -> its kind. Source: git, Documentation/git-fast-import, "filemodify". */
const KINDS: Readonly<Record<string, TreeFileKind>> = {
  '100644': 'file',
  '100755': 'executable',
  '120000': 'link',
  '160000': 'submodule',
};

/** The tree of a commit below a folder. When the path is a link or a file, its entry has the empty path. */
function commitTree(reader: GitReader, below: readonly PathEntry[]): FileTree {
  const entries = new Map(below.map(({ path, mode, id }) => [path, { kind: KINDS[mode] ?? 'other', id } as const]));
  return {
    files: entries,
    textsOf: async (paths) => {
      const wanted = [...paths].flatMap((path) => {
        const entry = entries.get(path);
        // A submodule is a commit of another repository.
        return entry === undefined || entry.kind === 'submodule' ? [] : [{ path, id: entry.id }];
      });
      const blobs = await reader.blobs(wanted);
      return new Map([...blobs].map(([path, bytes]) => [path, readableText(bytes)]));
    },
  };
}

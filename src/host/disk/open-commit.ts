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
import { oncePerText } from '../../base/core/once.ts';
import { EnvironmentError, GitError } from './disk-error.ts';
import {
  blobId,
  type GitEntry,
  listEntries,
  type ObjectFormat,
  readableText,
  readBlobs,
  readBlobsNow,
  splitNames,
} from './git-objects.ts';
import { decodeText, type ReadResult } from './read-text-file.ts';
import { firstLine, runGit } from './run-git.ts';
import { parentOf } from './tree/tree-path.ts';

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
  /** Reads one file under the same rules as a file on disk; files that are asked for at once, with one process. */
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
export async function openCommit(cwd: string, ref: string): Promise<GitCommit> {
  // One process answers both: the root is printed even when there is no such commit.
  const named = ['rev-parse', '--show-toplevel', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const found = await runGit(cwd, named);
  const lines = found.stdout.toString().replace(/\n$/, '').split('\n');
  const commit = found.ok ? (lines.pop() ?? '') : '';
  // The name of a folder may have line breaks.
  const root = lines.join('\n');
  if (!found.ok && root === '') throw distrusted(found.stderr) ?? notARepository(ref, found.stderr);
  if (!found.ok)
    throw new GitError(
      `git finds no commit ${ref}`,
      (await isShallow(root))
        ? 'this checkout lacks most of the history: set `fetch-depth: 2` for actions/checkout if the base is HEAD^1, or `fetch-depth: 0`, or fetch the commit'
        : /^[0-9a-f]{40,64}$/.test(ref)
          ? 'fetch it, or set --base to the base branch: a push that rewrote the history of a branch removes its commits'
          : 'check the name, or fetch the commit first',
    );
  const format = commit.length > 40 ? 'sha256' : 'sha1';
  const here = await realpath(cwd);
  // A commit does not change, and several parts of a command read the same folders of it.
  const entriesBelow = oncePerText((path) => listEntries(root, commit, [path]));
  /** The entries directly in a folder; a file beside another one is then known to be there, or not. */
  const entriesIn = askedTogether(async (folders) => {
    const below = folders.filter((it) => it !== '').map((it) => `${it}/`);
    const listed = [
      ...(below.length < folders.length ? [listEntries(root, commit, [''], 'at')] : []),
      ...(below.length > 0 ? [listEntries(root, commit, below, 'at')] : []),
    ];
    return groupBy((await Promise.all(listed)).flat(), (it) => [parentOf(it.path)]);
  });
  const answerTo = askedTogether(async (names) => {
    const found = await Promise.all(
      names.map(async (name) => ((await entriesIn(parentOf(name))) ?? []).filter((it) => it.path === name)),
    );
    const read = await readBlobs(root, found.flat().filter(isRegularFile));
    return new Map([...read].map(([name, bytes]) => [name, decodeText(bytes)]));
  });
  const readText = async (path: string): Promise<ReadResult> =>
    (await answerTo(inRepository(root, here, path))) ?? { kind: 'missing' };
  return {
    id: commit,
    objectFormat: format,
    treeBelow: async (path) => {
      const folder = inRepository(root, here, path);
      return commitTree(root, folder, await entriesBelow(folder));
    },
    parents: async () => {
      const read = await runGit(root, ['cat-file', 'commit', commit]);
      const [head = ''] = read.stdout.toString().split('\n\n', 1);
      return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id = '']) => id);
    },
    linksAt: async (paths) => {
      const named = new Map(paths.map((it) => [inRepository(root, here, it), it]));
      const entries = await listEntries(root, commit, [...named.keys()], 'at');
      const links = entries.filter((it) => named.has(it.path) && ['120000', '160000'].includes(it.mode));
      const targets = await readBlobs(
        root,
        links.filter((it) => it.mode === '120000'),
      );
      return links.map(({ path, mode }) => {
        const target = targets.get(path);
        return {
          path: named.get(path) ?? path,
          kind: KINDS[mode] ?? 'other',
          target: target === undefined ? null : readableText(target),
        };
      });
    },
    changesSince: async (other) => {
      const listed = await runGit(root, ['diff-tree', '-r', '-z', '--name-status', '--no-renames', other, commit]);
      const words = splitNames(listed.stdout);
      const paths = words.filter((_, i) => i % 2 === 1).map((it) => relative(here, resolve(root, it)));
      return new Map(paths.map((it, i) => [it.replaceAll('\\', '/'), words[2 * i] ?? '']));
    },
    mergeBasesWith: async (other) => {
      const bases = await runGit(root, ['merge-base', '--all', '--end-of-options', commit, other]);
      return bases.stdout.toString().split('\n').filter(Boolean);
    },
    filesBelow: async (path, like) => {
      const below = inRepository(root, here, path);
      const prefix = below === '' ? 0 : below.length + 1;
      const blobs = (await entriesBelow(below)).filter(isRegularFile);
      const entries = blobs.map((it) => ({ ...it, path: it.path.slice(prefix) }));
      return commitFiles({ root, format, entries, like });
    },
    readText,
    readTexts: (paths) => Promise.all(paths.map(readText)),
    linkBelow: async () => undefined,
    namesIn: async (folder) => {
      const entries = await entriesIn(inRepository(root, here, folder));
      const names = entries?.filter(isRegularFile).map((it) => it.path.slice(it.path.lastIndexOf('/') + 1));
      return names?.filter((it) => !it.startsWith('.')).sort(byCodeUnit);
    },
  };
}

const isRegularFile = ({ mode }: GitEntry): boolean => mode.startsWith('100');

/** Asks for the names of one turn together, and for each name once: a commit does not change. */
function askedTogether<T>(
  askAll: (names: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (name: string) => Promise<T | undefined> {
  const answers = new Map<string, ReturnType<typeof askAll>>();
  let names: string[] = [];
  let asked: ReturnType<typeof askAll> | undefined;
  const ask = (): ReturnType<typeof askAll> => {
    const all = names;
    [names, asked] = [[], undefined];
    return askAll(all);
  };
  return async (name) => {
    if (!answers.has(name)) {
      names.push(name);
      asked ??= Promise.resolve().then(ask);
      answers.set(name, asked);
    }
    return (await answers.get(name))?.get(name);
  };
}

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
  readonly format: ObjectFormat;
  /** The files, with paths below the folder that is read. */
  readonly entries: readonly GitEntry[];
  /** Files that are probably equal. */
  readonly like: FolderFiles;
}

/** The largest number of folders that one process of git reads. */
const MOST_FOLDERS = 256;

/**
 * The texts of a commit, folder by folder, with `\n` line ends. A file is not read when its blob id equals that of the
 * same file in `like`. One process of git per folder costs more than reading its files, so each process reads twice as
 * many folders as the one before while folders differ.
 */
function commitFiles({ root, format, entries, like }: Blobs): FolderFiles {
  const folders = groupBy(entries, (it) => [folderOf(it.path)]);
  const ahead = new Map<string, Files>();
  let together = 0;
  const names = [...folders.keys()];
  const positions = new Map(names.map((it, index) => [it, index]));
  const read = (folder: string): Files => {
    const there = ahead.get(folder);
    if (there !== undefined) {
      ahead.delete(folder);
      return there;
    }
    const all = folders.get(folder) ?? [];
    const alike = like.inFolder(folder);
    const isAlike = ({ path, id }: GitEntry): boolean => {
      const text = alike.get(path);
      return text !== undefined && blobId(text, format) === id;
    };
    const others = all.filter((it) => !isAlike(it));
    together = others.length === 0 ? 0 : Math.min(MOST_FOLDERS, Math.max(1, together * 2));
    if (others.length === 0 && all.length === alike.size) return alike;
    const at = positions.get(folder) ?? 0;
    const next = names.slice(at + 1, at + together).filter((it) => !ahead.has(it));
    const blobs = readBlobsNow(root, [...others, ...next.flatMap((it) => folders.get(it) ?? [])]);
    const textsOf = (list: readonly GitEntry[]): Files =>
      new Map(list.map(({ path }) => [path, blobText(blobs.get(path)) ?? alike.get(path) ?? '']));
    for (const it of next) ahead.set(it, textsOf(folders.get(it) ?? []));
    return textsOf(all);
  };
  return folderFiles(new Map(names.map((it) => [it, () => read(it)])));
}

const blobText = (bytes: Buffer | undefined): string | undefined => bytes && withLf(bytes.toString());

/** Mode of a git entry -> its kind. Source: git, Documentation/git-fast-import, "filemodify". */
const KINDS: Readonly<Record<string, TreeFileKind>> = {
  '100644': 'file',
  '100664': 'file',
  '100755': 'executable',
  '120000': 'link',
  '160000': 'submodule',
};

/** The tree of a commit below a folder. When the path is a link or a file, its entry has the empty path. */
function commitTree(root: string, folder: string, below: readonly GitEntry[]): FileTree {
  const prefix = folder === '' ? 0 : folder.length + 1;
  const entries = new Map(
    below.map(({ path, mode, id }) => [path.slice(prefix), { kind: KINDS[mode] ?? 'other', id } as const]),
  );
  return {
    files: entries,
    textsOf: async (paths) => {
      const wanted = [...paths].flatMap((path) => {
        const entry = entries.get(path);
        // A submodule is a commit of another repository.
        return entry === undefined || entry.kind === 'submodule' ? [] : [{ path, id: entry.id }];
      });
      const blobs = await readBlobs(root, wanted);
      return new Map([...blobs].map(([path, bytes]) => [path, readableText(bytes)]));
    },
  };
}

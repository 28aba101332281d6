import { spawnSync } from 'node:child_process';
import { readRef, writeRef } from './branch-files.ts';
import { type GitObject, objectFiles } from './object-files.ts';
import { FOLDER, type GitEntry, printTree, readTree } from './tree-object.ts';

/** A bare repository and the real git on it. Its objects and branches are also read and written without a process. */
export interface GitStore {
  readonly folder: string;
  /** One run of git; throws when git does. */
  readonly run: (args: readonly string[], input?: string) => string;
  /** Runs a command whose answer may be no. */
  readonly succeeds: (args: readonly string[]) => boolean;
  /** A question that names everything by its whole id, and all of it is there; `null` where the answer is no. */
  readonly ask: (args: readonly string[]) => string | null;
  /** True for the commit itself, and for one before it. */
  readonly isAncestor: (earlier: string, later: string) => boolean;
  /** The best commit that two commits have in common; `null` when there is none. */
  readonly mergeBase: (a: string, b: string) => string | null;
  /** The commit at a branch. */
  readonly headOf: (branch: string) => string | null;
  /** By the full name of a ref, the name of a branch, or an id; `NAME^{tree}` for the tree of a commit. */
  readonly read: (name: string) => GitObject | null;
  /** By its whole id alone. */
  readonly readId: (id: string) => GitObject | null;
  readonly treeAt: (id: string) => Map<string, GitEntry>;
  /** path -> entry of every file below a branch, a commit or a tree. */
  readonly filesAt: (name: string) => ReadonlyMap<string, GitEntry>;
  readonly writeBlob: (bytes: Buffer) => string;
  /** A commit in git's own words. */
  readonly writeCommit: (text: string) => string;
  readonly writeTree: (entries: ReadonlyMap<string, GitEntry>) => string;
  /** Moves a ref from where it is, or makes it; false where git refuses. */
  readonly moveRef: (ref: string, to: string, from: string | null) => boolean;
}

/** Nothing of the machine's or the user's own configuration reaches git. */
export const GIT_ENV: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  LC_ALL: 'C',
  TZ: 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  // A repository begins without the samples of hooks, which are more files than its own.
  GIT_TEMPLATE_DIR: '',
  // Nothing tidies up behind our back while a test reads, or removes, the folder.
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'gc.auto',
  GIT_CONFIG_VALUE_0: '0',
  // Temporary data need not survive a power cut.
  GIT_CONFIG_KEY_1: 'core.fsync',
  GIT_CONFIG_VALUE_1: 'none',
  // Every object stays a file of its own, also of a large push or fetch.
  GIT_CONFIG_KEY_2: 'transfer.unpackLimit',
  GIT_CONFIG_VALUE_2: '1000000',
};

const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/**
 * Answers about objects by their IDs. An object with an ID is equal in every repository and never changes, so git is
 * asked once, and the tests of a worker, which mostly begin alike, share the answers.
 */
const ANSWERS = new Map<string, string | null>();

function askOnce(folder: string, args: readonly string[]): string | null {
  const question = args.join('\0');
  const known = ANSWERS.get(question);
  if (known !== undefined) return known;
  const options = { cwd: folder, encoding: 'utf8', env: GIT_ENV, maxBuffer: MAX_ANSWER_BYTES } as const;
  const { status, stdout, stderr, error } = spawnSync('git', args, options);
  if (error !== undefined) throw error;
  // Git ends with 1 when the answer is no, and with more when it could not be answered.
  if (status !== 0 && status !== 1) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  const answer = status === 0 ? stdout : null;
  ANSWERS.set(question, answer);
  return answer;
}

export function git(folder: string, args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: folder,
    input,
    encoding: 'utf8',
    env: { ...GIT_ENV, ...env },
    maxBuffer: MAX_ANSWER_BYTES,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const ID = /^[0-9a-f]{40}$/;

/** `folder` is a bare repository. */
export function openStore(folder: string): GitStore {
  const objects = objectFiles(folder);
  const succeeds = (args: readonly string[]): boolean =>
    spawnSync('git', args, { cwd: folder, env: GIT_ENV, stdio: 'ignore' }).status === 0;
  const readId = (id: string): GitObject | null => (ID.test(id) ? objects.read(id) : null);

  function read(name: string): GitObject | null {
    const commit = /^(.*)\^\{tree\}$/s.exec(name)?.[1];
    if (commit === undefined) return readId(name) ?? readId(readRef(folder, name) ?? headOf(name) ?? '');
    const object = read(commit);
    return object?.type === 'commit' ? readId(/^tree (.*)$/m.exec(object.bytes.toString('latin1'))?.[1] ?? '') : object;
  }

  const headOf = (branch: string): string | null => readRef(folder, `refs/heads/${branch}`);

  const treeAt = (id: string): Map<string, GitEntry> => {
    const tree = readId(id);
    if (tree?.type !== 'tree') throw new Error(`${id} is no tree`);
    return readTree(tree.bytes);
  };

  function* filesBelow(tree: string, prefix: string): Generator<readonly [string, GitEntry]> {
    for (const [name, entry] of treeAt(tree)) {
      if (entry.mode === FOLDER) yield* filesBelow(entry.id, `${prefix}${name}/`);
      else yield [`${prefix}${name}`, entry];
    }
  }

  const parentsOf = (commit: string): readonly string[] => {
    const [head = ''] = readId(commit)?.bytes.toString('latin1').split('\n\n', 1) ?? [];
    return [...head.matchAll(/^parent (.*)$/gm)].map(([, parent = '']) => parent);
  };
  const isAncestor = (earlier: string, later: string): boolean => {
    const found = new Set([later]);
    for (const it of found) for (const parent of parentsOf(it)) found.add(parent);
    return found.has(earlier);
  };

  return {
    folder,
    isAncestor,
    mergeBase: (a, b) => {
      if (isAncestor(a, b)) return a;
      return isAncestor(b, a) ? b : (askOnce(folder, ['merge-base', a, b])?.trim() ?? null);
    },
    run: (args, input) => git(folder, args, input),
    succeeds,
    ask: (args) => askOnce(folder, args),
    headOf,
    read,
    readId,
    treeAt,
    filesAt: (name) => new Map(filesBelow(read(`${name}^{tree}`)?.id ?? name, '')),
    writeBlob: (bytes) => objects.write('blob', bytes),
    writeCommit: (text) => objects.write('commit', Buffer.from(text, 'utf8')),
    writeTree: (entries) => objects.write('tree', printTree(entries)),
    moveRef: (ref, to, from) =>
      readRef(folder, ref) === from && (writeRef(folder, ref, to) || succeeds(['update-ref', ref, to, from ?? ''])),
  };
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GitServant, lineEnd, objectEnd, startServant } from './git-servant.ts';
import { type GitEntry, printTree, readTree } from './tree-object.ts';

export interface GitObject {
  readonly id: string;
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  readonly bytes: Buffer;
}

/** A bare repository and the real git on it. */
export interface GitStore {
  readonly folder: string;
  /** One run of git; throws when git does. */
  readonly run: (args: readonly string[], input?: string) => string;
  /** Runs a command whose answer may be no. */
  readonly succeeds: (args: readonly string[]) => boolean;
  /** A question that names everything by its whole id, and all of it is there; `null` where the answer is no. */
  readonly ask: (args: readonly string[]) => string | null;
  /** The commit at a branch. */
  readonly headOf: (branch: string) => string | null;
  /** By the full name of a ref, or any other name that git knows. */
  readonly read: (name: string) => Promise<GitObject | null>;
  /** By its whole id alone. */
  readonly readId: (id: string) => Promise<GitObject | null>;
  readonly treeAt: (id: string) => Promise<Map<string, GitEntry>>;
  readonly writeBlob: (bytes: Buffer) => Promise<string>;
  /** A commit in git's own words. */
  readonly writeCommit: (text: string) => Promise<string>;
  readonly writeTree: (entries: ReadonlyMap<string, GitEntry>) => Promise<string>;
  readonly close: () => void;
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
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'gc.auto',
  GIT_CONFIG_VALUE_0: '0',
  // Temporary data need not survive a power cut.
  GIT_CONFIG_KEY_1: 'core.fsync',
  GIT_CONFIG_VALUE_1: 'none',
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

/** Until git packs its refs, a branch is a file with the id of its commit. */
function headOf(folder: string, branch: string): string | null {
  const file = join(folder, 'refs/heads', branch);
  if (existsSync(file) && statSync(file).isFile()) return readFileSync(file, 'utf8').trim();
  if (!existsSync(join(folder, 'packed-refs'))) return null;
  return git(folder, ['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`]).trim() || null;
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

/** `folder` is a bare repository; `scratch` is where contents wait until git reads them. */
export function openStore(folder: string, scratch: string): GitStore {
  mkdirSync(scratch, { recursive: true });
  const start = (args: readonly string[], endOf = lineEnd) => startServant({ folder, args, env: GIT_ENV, endOf });
  const reader = start(['cat-file', '--batch'], objectEnd);
  const hasher = start(['hash-object', '-w', '--no-filters', '--stdin-paths']);
  const commits = start(['hash-object', '-t', 'commit', '-w', '--no-filters', '--stdin-paths']);
  const trees = start(['mktree', '--batch', '--missing', '-z']);
  let turn = 0;

  const read = async (name: string): Promise<GitObject | null> => {
    if (/\s/.test(name)) return null;
    const answer = await reader.ask(`${name}\n`);
    const end = lineEnd(answer) ?? 0;
    const head = /^([0-9a-f]{40}) (blob|tree|commit|tag) \d+\n$/.exec(answer.toString('latin1', 0, end));
    if (head === null) return null;
    return { id: head[1] ?? '', type: head[2] as GitObject['type'], bytes: answer.subarray(end, -1) };
  };

  const hash = async (by: GitServant, bytes: Buffer): Promise<string> => {
    const file = join(scratch, String(turn++));
    writeFileSync(file, bytes);
    return (await by.ask(`${file}\n`)).toString('latin1').trim();
  };

  return {
    folder,
    run: (args, input) => git(folder, args, input),
    succeeds: (args) => spawnSync('git', args, { cwd: folder, env: GIT_ENV, stdio: 'ignore' }).status === 0,
    ask: (args) => askOnce(folder, args),
    headOf: (branch) => headOf(folder, branch),
    read,
    readId: async (id) => (/^[0-9a-f]{40}$/.test(id) ? read(id) : null),
    treeAt: async (id) => {
      const tree = await read(id);
      if (tree?.type !== 'tree') throw new Error(`${id} is no tree`);
      return readTree(tree.bytes);
    },
    writeBlob: (bytes) => hash(hasher, bytes),
    writeCommit: (text) => hash(commits, Buffer.from(text, 'utf8')),
    writeTree: async (entries) => (await trees.ask(printTree(entries))).toString('latin1').trim(),
    close: () => {
      for (const it of [reader, hasher, commits, trees]) it.close();
    },
  };
}

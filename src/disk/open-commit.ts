import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { EnvironmentError } from './environment-error.ts';
import { GitError } from './git-error.ts';
import { decodeText, type ReadResult } from './read-text-file.ts';
import { firstLine, runGit } from './run-git.ts';

/** One commit of the repository around a folder. */
export interface GitCommit {
  /** Every file at or below a path, by its path below that one; empty without files. */
  readonly filesBelow: (path: string) => Promise<ReadonlyMap<string, string>>;
  /** One file, under the rules for files on disk. */
  readonly readText: (path: string) => Promise<ReadResult>;
}

/** A commit by any name that git resolves. Paths are relative to `cwd`. */
export async function openCommit(cwd: string, ref: string): Promise<GitCommit> {
  const top = await runGit(cwd, ['rev-parse', '--show-toplevel']);
  if (!top.ok) throw distrusted(top.stderr) ?? notARepository(ref, top.stderr);
  const root = top.stdout.toString().replace(/\n$/, '');
  const found = await runGit(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  if (!found.ok)
    throw new GitError(
      `git finds no commit ${ref}`,
      'check the name, or fetch the commit first if this is a shallow checkout',
    );
  const commit = found.stdout.toString().trim();
  const here = await realpath(cwd);
  return {
    filesBelow: async (path) => {
      const below = inRepository(root, here, path);
      const files = await readBlobs(root, await listBlobs(root, commit, below));
      const prefix = below === '' ? '' : `${below}/`;
      return new Map([...files].map(([it, bytes]) => [it.slice(prefix.length), bytes.toString()]));
    },
    readText: async (path) => {
      const name = inRepository(root, here, path);
      const files = await readBlobs(
        root,
        (await listBlobs(root, commit, name)).filter((it) => it.path === name),
      );
      const bytes = files.get(name);
      return bytes === undefined ? { kind: 'missing' } : decodeText(bytes);
    },
  };
}

const notARepository = (ref: string, stderr: string): GitError =>
  new GitError(`cannot read ${ref}: ${firstLine(stderr)}`, `run weft inside a git repository, or ${COMPARE_FOLDER}`);

/** `weft pr` has no such option, so the command is named. */
const COMPARE_FOLDER = 'compare with a folder: "weft plan --base-dir DIR"';

/**
 * git refuses a repository of another user, which jobs in containers often have. No `GitError`, since there is a commit: a plan
 * without it would say less than it can.
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

/** weft makes git fetch nothing. */
const PARTIAL_CLONE = 'fetch the whole commit first if this is a partial clone';

interface Blob {
  readonly path: string;
  readonly id: string;
}

async function listBlobs(root: string, commit: string, path: string): Promise<readonly Blob[]> {
  const listed = await runGit(root, [
    'ls-tree',
    '-r',
    '-z',
    '--full-tree',
    commit,
    ...(path === '' ? [] : ['--', path]),
  ]);
  if (!listed.ok) throw new GitError(`git cannot list ${path}: ${firstLine(listed.stderr)}`);
  return listed.stdout
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, id, name] = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return id === undefined || name === undefined ? [] : [{ path: name, id }];
    });
}

/** One process reads all of them, since a fleet has thousands of files. */
async function readBlobs(root: string, blobs: readonly Blob[]): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  if (blobs.length === 0) return files;
  const answer = await runGit(root, ['cat-file', '--batch'], blobs.map((it) => `${it.id}\n`).join(''));
  if (!answer.ok) throw new GitError(`git cannot read its objects: ${firstLine(answer.stderr)}`, PARTIAL_CLONE);
  let at = 0;
  for (const { path, id } of blobs) {
    // Each object is a line `<id> <type> <size>`, its bytes, and a line break.
    const end = answer.stdout.indexOf('\n', at);
    const size = Number(answer.stdout.subarray(at, end).toString().split(' ')[2]);
    if (!Number.isInteger(size)) throw new GitError(`git has no object ${id} for ${path}`, PARTIAL_CLONE);
    files.set(path, answer.stdout.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return files;
}

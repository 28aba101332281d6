import { createHash, type Hash } from 'node:crypto';
import { errorCode, GitError } from './disk-error.ts';
import { firstLine, type GitResult, runGit, runGitNow } from './run-git.ts';

/** weft makes git fetch nothing. */
const PARTIAL_CLONE = 'fetch the whole commit first if this is a partial clone';

/** A line of `git ls-tree`. Source: git, Documentation/git-ls-tree. */
export interface GitEntry {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  /** Six octal digits: `100644` for a plain file. */
  readonly mode: string;
  readonly id: string;
}

/** Everything that a commit has at some paths and below them, in order of path; folders are not listed. */
export async function listEntries(
  root: string,
  commit: string,
  ...paths: readonly string[]
): Promise<readonly GitEntry[]> {
  const isWhole = paths.includes('');
  const listed = await runGit(root, [
    ...['ls-tree', '-r', '-z', '--full-tree', commit],
    ...(isWhole ? [] : ['--', ...paths]),
  ]);
  if (!listed.ok) throw new GitError(`git cannot list ${paths.join(', ')}: ${firstLine(listed.stderr)}`);
  return splitNames(listed.stdout).map((line) => {
    const tab = line.indexOf('\t');
    const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
    return { path: line.slice(tab + 1), mode, id };
  });
}

/** The parts of a list that git ends with NUL characters, with names that `decodeName` reads. */
export function splitNames(list: Buffer): readonly string[] {
  const names: string[] = [];
  let at = 0;
  for (let end = list.indexOf(0); end !== -1; end = list.indexOf(0, at)) {
    names.push(decodeName(list.subarray(at, end)));
    at = end + 1;
  }
  return names;
}

type Wanted = readonly Pick<GitEntry, 'path' | 'id'>[];

/** The bytes of blobs by path. One process reads all of them, since a fleet has thousands of files. */
export const readBlobs = async (root: string, blobs: Wanted): Promise<ReadonlyMap<string, Buffer>> =>
  blobs.length === 0 ? new Map() : blobsIn(await runGit(root, BATCH, namesOf(blobs)), blobs);

/** The same, for whoever cannot wait. */
export const readBlobsNow = (root: string, blobs: Wanted): ReadonlyMap<string, Buffer> =>
  blobs.length === 0 ? new Map() : blobsIn(runGitNow(root, BATCH, namesOf(blobs)), blobs);

const BATCH = ['cat-file', '--batch'];

const namesOf = (blobs: Wanted): string => blobs.map((it) => `${it.id}\n`).join('');

function blobsIn(answer: GitResult, blobs: Wanted): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
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

/**
 * The name of a file as text. Names are bytes; in one that is not UTF-8 each byte above 127 becomes a lone surrogate, which no
 * other name contains, so that two names never become one.
 */
export function decodeName(name: Buffer): string {
  const text = name.toString();
  if (Buffer.from(text).equals(name)) return text;
  return [...name].map((it) => String.fromCharCode(it < 0x80 ? it : 0xdc00 + it)).join('');
}

/** Files below a folder that git ignores and does not track, by path below it; none without a repository. */
export async function ignoredBelow(folder: string): Promise<readonly string[]> {
  const listed = await runGit(folder, ['ls-files', '-z', '--others', '--ignored', '--exclude-standard']);
  return listed.ok ? splitNames(listed.stdout) : [];
}

/** In bytes. No generated file is larger, and a larger one is not shown. */
export const LARGEST_SHOWN_BYTES = 64 * 1024 * 1024;

/** The bytes as text, with the byte order mark that they may have; `null` for bytes that are not UTF-8, and for too many. */
export function readableText(bytes: Buffer): string | null {
  if (bytes.length > LARGEST_SHOWN_BYTES) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (errorCode(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    return null;
  }
}

/** How a repository names its objects. Source: git, Documentation/technical/hash-function-transition. */
export type ObjectFormat = 'sha1' | 'sha256';

/** The name that git gives to these bytes. */
export function blobId(bytes: string | Buffer, format: ObjectFormat): string {
  const whole = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  return blobHash(whole.length, format).update(whole).digest('hex');
}

/** The same for bytes that come in pieces: their number must be known before. */
export const blobHash = (size: number, format: ObjectFormat): Hash => createHash(format).update(`blob ${size}\0`);

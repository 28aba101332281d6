import { createHash, type Hash } from 'node:crypto';
import { errorCode, GitError } from './disk-error.ts';
import { firstLine, type GitResult, runGit, runGitNow } from './run-git.ts';

/** The hint about missing objects: weft never makes git fetch. */
export const PARTIAL_CLONE = 'fetch the whole commit first if this is a partial clone';

/** Splits a list of names that git ends with NUL characters; `decodeName` decodes each name. */
export function splitNames(list: Buffer): readonly string[] {
  const names: string[] = [];
  let at = 0;
  for (let end = list.indexOf(0); end !== -1; end = list.indexOf(0, at)) {
    names.push(decodeName(list.subarray(at, end)));
    at = end + 1;
  }
  return names;
}

interface Wanted {
  readonly path: string;
  readonly id: string;
}

/** Reads blobs at once, returns their bytes by path. One process reads all of them, because a fleet has thousands of files. */
export function readBlobsNow(root: string, blobs: readonly Wanted[]): ReadonlyMap<string, Buffer> {
  if (blobs.length === 0) return new Map();
  return blobsIn(runGitNow(root, ['cat-file', '--batch'], blobs.map((it) => `${it.id}\n`).join('')), blobs);
}

function blobsIn(answer: GitResult, blobs: readonly Wanted[]): ReadonlyMap<string, Buffer> {
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
 * The name of a file as text. File names are bytes: in a name that is not UTF-8, each byte above 127 becomes a lone
 * surrogate. No other name contains these surrogates, so different names stay different.
 */
export function decodeName(name: Buffer): string {
  const text = name.toString();
  if (Buffer.from(text).equals(name)) return text;
  return [...name].map((it) => String.fromCharCode(it < 0x80 ? it : 0xdc00 + it)).join('');
}

/** Lists the files below a folder that git ignores and does not track, by path below it; empty outside a repository. */
export async function ignoredBelow(folder: string): Promise<readonly string[]> {
  const listed = await runGit(folder, ['ls-files', '-z', '--others', '--ignored', '--exclude-standard']);
  return listed.ok ? splitNames(listed.stdout) : [];
}

/** True if git would commit anything in a folder, and where git does not answer. */
export async function hasUncommitted(folder: string): Promise<boolean> {
  const listed = await runGit(folder, [
    '--no-optional-locks',
    'status',
    '--porcelain',
    '--ignore-submodules',
    '--',
    '.',
  ]);
  return !listed.ok || listed.stdout.length > 0;
}

/** The largest size of a file that is shown, in bytes. No generated file is larger. */
export const LARGEST_SHOWN_BYTES = 64 * 1024 * 1024;

/** The bytes as text, including a byte order mark; `null` when they are not UTF-8 or exceed LARGEST_SHOWN_BYTES. */
export function readableText(bytes: Buffer): string | null {
  if (bytes.length > LARGEST_SHOWN_BYTES) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (errorCode(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    return null;
  }
}

/**
 * The hash with which a repository names its objects. Source: git, Documentation/technical/hash-function-transition.
 */
export type ObjectFormat = 'sha1' | 'sha256';

/** The object name that git gives to a blob with these bytes. */
export function blobId(bytes: string | Buffer, format: ObjectFormat): string {
  const whole = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  return blobHash(whole.length, format).update(whole).digest('hex');
}

/** A hash to which the bytes of a blob are added piece by piece. The blob's total size must be known first. */
export const blobHash = (size: number, format: ObjectFormat): Hash => createHash(format).update(`blob ${size}\0`);

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { byCodeUnit } from '../../base/core/collections.ts';
import { withLf } from '../../base/core/encodings.ts';
import { asDiskError, DiskError, EnvironmentError, errorCode } from './disk-error.ts';
import { repositoryRoot } from './repository.ts';

/** The size limit of a dump in bytes. The full dump of a hub with ten thousand peers is smaller. */
export const LARGEST_DUMP_BYTES = 256 * 1024 * 1024;

/** The size limit of other inputs in bytes. Real topologies are far smaller; a dump or a disk image is refused. */
export const LARGEST_FILE_BYTES = 16 * 1024 * 1024;

export type ReadResult =
  | { readonly kind: 'ok'; readonly text: string }
  | { readonly kind: 'missing' }
  /** `bytes` is the size in the file system; `null` for a pipe that exceeds the limit. */
  | { readonly kind: 'too-large'; readonly bytes: number | null; readonly limitBytes: number }
  | { readonly kind: 'not-utf8' }
  | { readonly kind: 'is-directory' }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly hint: string };

/**
 * Reads a text file as strict UTF-8 with `\n` line ends, without a byte order mark. Never reads more than the limit,
 * does not wait for a pipe, and follows no link out of the repository.
 *
 * @param path an absolute path.
 * @param cwd the working folder.
 */
export async function readTextFile(
  path: string,
  cwd = dirname(path),
  limitBytes = LARGEST_FILE_BYTES,
): Promise<ReadResult> {
  try {
    return readOpened(path, cwd, limitBytes);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return { kind: 'missing' };
    if (errorCode(error) === 'EISDIR') return { kind: 'is-directory' };
    const disk = asDiskError(error, path);
    if (!(disk instanceof DiskError)) throw error;
    return { kind: 'unreadable', reason: disk.message, hint: disk.hint };
  }
}

/** Reads a pipe under the same rules as a file. */
export async function readPipe(
  stream: AsyncIterable<unknown>,
  name: string,
  limitBytes = LARGEST_FILE_BYTES,
): Promise<ReadResult> {
  try {
    return await readStream(stream, limitBytes);
  } catch (error) {
    if (errorCode(error) === 'EISDIR') return { kind: 'is-directory' };
    const disk = asDiskError(error, name);
    if (!(disk instanceof DiskError)) throw error;
    return { kind: 'unreadable', reason: disk.message, hint: disk.hint };
  }
}

/** With synchronous calls: Node's others take 5 ms to load, and longer for each of these few files. */
function readOpened(path: string, cwd: string, limitBytes: number): ReadResult {
  const opened = openInput(path, cwd);
  if (opened.kind !== 'open') return opened;
  const { file, bytes } = opened;
  try {
    if (bytes > limitBytes) return tooLarge(bytes, limitBytes);
    const chunks: Buffer[] = [];
    let left = limitBytes;
    // Until nothing is left, because a file may grow.
    for (let size = Math.max(bytes, 1); ; size = READ_BYTES) {
      const chunk = Buffer.allocUnsafe(size);
      const read = readSync(file, chunk, 0, size, null);
      if (read === 0) return decodeText(Buffer.concat(chunks), limitBytes);
      left -= read;
      if (left < 0) return tooLarge(null, limitBytes);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

const READ_BYTES = 1 << 16;

/** Counts bytes while reading, because stdin has no size beforehand. */
async function readStream(stream: AsyncIterable<unknown>, limitBytes: number): Promise<ReadResult> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length;
    if (bytes > limitBytes) return tooLarge(null, limitBytes);
    chunks.push(chunk as Buffer);
  }
  return decodeText(Buffer.concat(chunks), limitBytes);
}

const tooLarge = (bytes: number | null, limitBytes: number): ReadResult => ({ kind: 'too-large', bytes, limitBytes });

/** Decodes the bytes of a file from any source under the rules of `readTextFile`. */
export function decodeText(bytes: Buffer, limitBytes = LARGEST_FILE_BYTES): ReadResult {
  if (bytes.length > limitBytes) return tooLarge(bytes.length, limitBytes);
  try {
    return { kind: 'ok', text: withLf(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch (error) {
    if (errorCode(error) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    return { kind: 'not-utf8' };
  }
}

/**
 * Reads several text files under the rules of `readTextFile`. The limit applies to their total size; a file beyond it
 * is not read.
 *
 * @param paths absolute paths.
 * @param cwd the working folder.
 */
export async function readTextFiles(
  paths: readonly string[],
  cwd: string,
  limitBytes = LARGEST_FILE_BYTES,
): Promise<readonly ReadResult[]> {
  const results: ReadResult[] = [];
  let left = limitBytes;
  for (const path of paths) {
    const read = await readTextFile(path, cwd, left);
    if (read.kind === 'ok') left -= Buffer.byteLength(read.text);
    results.push(read);
  }
  return results;
}

/** The reason why an input may not be read from a path, worded to follow "cannot read PATH:", with a remedy. */
interface PlaceFault {
  readonly reason: string;
  readonly hint: string;
}

interface InputPlace {
  /** The absolute path as named, and the same path after all symbolic links are resolved. */
  readonly path: string;
  readonly real: string;
  /** The working folder. */
  readonly cwd: string;
}

/**
 * Returns why a symbolic link may not be followed. A pull request may contain a link to any file of the machine that
 * checks it, and a diagnostic would print lines of that file. Therefore a link may only lead to another place in the
 * same repository or, outside a repository, in the same folder. Files in `.git` are refused, because they may contain a
 * token. Source: actions/checkout, `persist-credentials`.
 */
export function linkFault({ path, real, cwd }: InputPlace): PlaceFault | undefined {
  const repository = repositoryContaining(path, cwd);
  const below = pathBelow(realpathSync(repository ?? dirname(path)), real);
  const hint = 'put the file itself at this path';
  if (below === undefined)
    return {
      reason: `a symbolic link leads out of ${repository === undefined ? 'its folder' : 'the repository'}`,
      hint,
    };
  return below.split(sep).includes('.git') ? { reason: 'it belongs to git itself', hint } : undefined;
}

/** Refuses files that the system generates on reading: of processes and devices, and descriptors such as stdin. */
export function systemFault(path: string): PlaceFault | undefined {
  if (!/^\/(?:proc|sys|dev\/(?:std(?:in|out|err)|fd))(?:\/|$)/.test(path)) return undefined;
  return { reason: 'it is not a file on a disk', hint: 'write the text to a file first, and name that file' };
}

/** The repository around the working folder if it contains the path; otherwise the repository around the path. */
function repositoryContaining(path: string, cwd: string): string | undefined {
  const here = repositoryRoot(cwd);
  return here !== undefined && pathBelow(here, path) !== undefined ? here : repositoryRoot(dirname(path));
}

function pathBelow(folder: string, path: string): string | undefined {
  const below = relative(folder, path);
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? undefined : below;
}

/** The descriptor of a regular file that is open for reading, or the reason why it is not. */
type OpenedInput =
  | { readonly kind: 'open'; readonly file: number; readonly bytes: number }
  | { readonly kind: 'is-directory' }
  | ({ readonly kind: 'unreadable' } & PlaceFault);

/** Flags that open a file for reading, never through a symbolic link, and without waiting for the writer of a pipe. */
export const NOT_THROUGH_LINKS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens an input. It must be a regular file that is not reached through a link from outside. Disk errors are thrown.
 */
export function openInput(path: string, cwd: string): OpenedInput {
  const named = systemFault(path);
  if (named !== undefined) return { kind: 'unreadable', ...named };
  const real = realpathSync.native(path);
  const fault = linkFault({ path, real, cwd }) ?? systemFault(real);
  if (fault !== undefined) return { kind: 'unreadable', ...fault };
  // Opening a device may have an effect, so its kind is checked first.
  const before = kindFault(statSync(real));
  if (before !== undefined) return before;
  const file = openSync(real, NOT_THROUGH_LINKS);
  try {
    const now = fstatSync(file);
    const after = kindFault(now);
    if (after === undefined) return { kind: 'open', file, bytes: now.size };
    closeSync(file);
    return after;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function kindFault(it: Stats): Exclude<OpenedInput, { kind: 'open' }> | undefined {
  if (it.isFile()) return undefined;
  if (it.isDirectory()) return { kind: 'is-directory' };
  const what = it.isFIFO() ? 'a pipe' : it.isSocket() ? 'a socket' : 'a device';
  return {
    kind: 'unreadable',
    reason: `it is ${what}, not a file`,
    hint: 'write the text to a file first, and name that file',
  };
}

/**
 * The names of the files in a folder, sorted by code unit, without those that begin with a dot; `undefined` if it is
 * not a folder. The names are printed, so a link may not lead to a folder outside the repository.
 *
 * @param folder an absolute path.
 * @param cwd the working folder.
 */
export async function fileNamesIn(folder: string, cwd = folder): Promise<readonly string[] | undefined> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const fault = systemFault(folder) ?? linkFault({ path: folder, real: realpathSync.native(folder), cwd });
    if (fault !== undefined)
      throw new EnvironmentError(`cannot read ${relative(cwd, folder) || folder}: ${fault.reason}`, fault.hint);
    const names = entries.filter((it) => !it.isDirectory() && !it.name.startsWith('.')).map((it) => it.name);
    return names.sort(byCodeUnit);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
    throw asDiskError(error, folder);
  }
}

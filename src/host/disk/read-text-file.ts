import { dirname } from 'node:path';
import { withLf } from '../../base/core/encodings.ts';
import { asDiskError, DiskError, errorCode } from './disk-error.ts';
import { openInput } from './input-place.ts';

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
    return await readOpened(path, cwd, limitBytes);
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

async function readOpened(path: string, cwd: string, limitBytes: number): Promise<ReadResult> {
  const opened = await openInput(path, cwd);
  if (opened.kind !== 'open') return opened;
  const { file, bytes } = opened;
  try {
    if (bytes > limitBytes) return tooLarge(bytes, limitBytes);
    return await readStream(file.createReadStream({ autoClose: false, highWaterMark: 1 << 18 }), limitBytes);
  } finally {
    await file.close();
  }
}

/** Counts bytes while reading, because stdin has no size beforehand and a file may grow. */
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

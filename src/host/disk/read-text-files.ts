import { LARGEST_FILE_BYTES, type ReadResult, readTextFile } from './read-text-file.ts';

/**
 * Several text files, under the rules for one. Together they may be as large as one: what exceeds the limit is not read.
 *
 * @param paths as absolute paths.
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

import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';
import { linkFault, systemFault } from './input-place.ts';
import { openInput } from './open-input.ts';

/**
 * Why an output cannot be written to a path, to follow "PATH:"; `undefined` if there is no file, or one that may be replaced. A pull
 * request may have put a link there, and a tired person may have named the topology.
 *
 * @param path as an absolute path.
 * @param cwd the working folder.
 * @param mayReplace whether a file that begins with this text may be replaced
 */
export async function placeFault(path: string, cwd: string, mayReplace: RegExp): Promise<string | undefined> {
  const named = systemFault(path);
  if (named !== undefined) return named.reason;
  try {
    const opened = await openInput(path, cwd);
    if (opened.kind === 'is-directory') return 'it is a folder';
    if (opened.kind === 'unreadable') return opened.reason;
    try {
      const { buffer, bytesRead } = await opened.file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
      return mayReplace.test(buffer.toString('utf8', 0, bytesRead)) ? undefined : 'it contains something else';
    } finally {
      await opened.file.close();
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asDiskError(error, path);
    return missingFileFault(path, cwd);
  }
}

const START_BYTES = 64;

/** A folder above the new file may be a link, also where folders between the two are missing. */
async function missingFileFault(path: string, cwd: string): Promise<string | undefined> {
  try {
    const real = join(await realpath(dirname(path)), basename(path));
    return (linkFault({ path, real, cwd }) ?? systemFault(real))?.reason;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asDiskError(error, path);
    return dirname(path) === path ? undefined : missingFileFault(dirname(path), cwd);
  }
}

import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';
import { linkFault, systemFault } from './input-place.ts';
import { openInput } from './open-input.ts';

/**
 * Why a plan for programs cannot be written to a path, to follow "PATH:"; `undefined` if there is no file, an empty one, or an
 * earlier plan. A pull request may have put a link there, and a tired person may have named the topology.
 *
 * @param path as an absolute path.
 * @param cwd the working folder.
 */
export async function planPlaceFault(path: string, cwd: string): Promise<string | undefined> {
  const named = systemFault(path);
  if (named !== undefined) return named.reason;
  try {
    const opened = await openInput(path, cwd);
    if (opened.kind === 'is-directory') return 'it is a folder';
    if (opened.kind === 'unreadable') return opened.reason;
    try {
      const { buffer, bytesRead } = await opened.file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
      return EMPTY_OR_PLAN.test(buffer.toString('utf8', 0, bytesRead)) ? undefined : 'it contains something else';
    } finally {
      await opened.file.close();
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asDiskError(error, path);
    return missingFileFault(path, cwd);
  }
}

const START_BYTES = 64;

/** The first key of a plan is the name of the fleet. */
const EMPTY_OR_PLAN = /^(?:\s*$|\{\s*"fleet":)/;

/** A folder above the new file may be a link. */
async function missingFileFault(path: string, cwd: string): Promise<string | undefined> {
  try {
    const real = join(await realpath(dirname(path)), basename(path));
    return (linkFault({ path, real, cwd }) ?? systemFault(real))?.reason;
  } catch (error) {
    // Writing the plan reports a folder that is missing.
    if (errorCode(error) === 'ENOENT') return undefined;
    throw asDiskError(error, path);
  }
}

import { constants, realpathSync, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';
import { repositoryRoot } from './repository.ts';

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

/** A regular file that is open for reading, or the reason why it is not. */
type OpenedInput =
  | { readonly kind: 'open'; readonly file: FileHandle; readonly bytes: number }
  | { readonly kind: 'is-directory' }
  | ({ readonly kind: 'unreadable' } & PlaceFault);

/** Flags that open a file for reading, never through a symbolic link, and without waiting for the writer of a pipe. */
export const NOT_THROUGH_LINKS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens an input. It must be a regular file that is not reached through a link from outside. Disk errors are thrown.
 */
export async function openInput(path: string, cwd: string): Promise<OpenedInput> {
  const named = systemFault(path);
  if (named !== undefined) return { kind: 'unreadable', ...named };
  const real = await realpath(path);
  const fault = linkFault({ path, real, cwd }) ?? systemFault(real);
  if (fault !== undefined) return { kind: 'unreadable', ...fault };
  // Opening a device may have an effect, so its kind is checked first.
  const before = kindFault(await stat(real));
  if (before !== undefined) return before;
  const file = await open(real, NOT_THROUGH_LINKS);
  try {
    const now = await file.stat();
    const after = kindFault(now);
    if (after === undefined) return { kind: 'open', file, bytes: now.size };
    await file.close();
    return after;
  } catch (error) {
    await file.close();
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
 * Returns why an output cannot be written to a path, worded to follow "PATH:"; `undefined` when no file exists there,
 * or one that may be replaced. A pull request may have put a link there, and a user may have named the topology by
 * mistake.
 *
 * @param path an absolute path.
 * @param cwd the working folder.
 * @param mayReplace matches the start of a file that may be replaced.
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

/** Checks the nearest existing folder above a new file; it may be a link even when folders in between are missing. */
async function missingFileFault(path: string, cwd: string): Promise<string | undefined> {
  try {
    const real = join(await realpath(dirname(path)), basename(path));
    return (linkFault({ path, real, cwd }) ?? systemFault(real))?.reason;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asDiskError(error, path);
    return dirname(path) === path ? undefined : missingFileFault(dirname(path), cwd);
  }
}

/** Like `placeFault`, for the JSON output of a plan: only an empty file or an earlier plan may be replaced. */
export const planPlaceFault = (path: string, cwd: string): Promise<string | undefined> =>
  placeFault(path, cwd, EMPTY_OR_PLAN);

/** A plan begins with its schema version and the name of the fleet. */
const EMPTY_OR_PLAN = /^(?:\s*$|\{\s*"schemaVersion": \d+,\s*"fleet":)/;

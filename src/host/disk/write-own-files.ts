import { closeSync, readSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';
import { linkFault, openInput, systemFault } from './read-text-file.ts';
import { makeFolder, type PreparedFile, prepareFile } from './write-files.ts';

/** A file that weft writes into a folder of the user and recognizes later by its start. */
interface OwnFile {
  readonly name: string;
  /** The text with which every such file begins. */
  readonly start: string;
  /** The new text; `null` removes an earlier file. */
  readonly text: string | null;
}

interface BlockedPlace {
  /** The path as the user typed it. */
  readonly path: string;
  /** The reason, worded to follow "PATH:". */
  readonly reason: string;
}

/**
 * Writes all files or none: each is complete on disk before the first one replaces an earlier one. If a path is
 * occupied by another file, or a link from outside leads there, returns that path; it is kept.
 */
export async function writeOwnFiles(
  cwd: string,
  folder: string,
  files: readonly OwnFile[],
): Promise<BlockedPlace | undefined> {
  for (const { name, start } of files) {
    const reason = placeFault(resolve(cwd, folder, name), cwd, startingWith(start));
    if (reason !== undefined) return { path: inFolder(folder, name), reason };
  }
  const wanted = files.flatMap(({ name, text }) => (text === null ? [] : [{ name, text }]));
  if (wanted.length > 0) await makeFolder(resolve(cwd, folder));
  const prepared: PreparedFile[] = [];
  try {
    for (const { name, text } of wanted) prepared.push(await prepareFile(resolve(cwd, folder, name), text));
  } catch (error) {
    for (const it of prepared) await it.discard();
    throw error;
  }
  for (const it of prepared) await it.commit();
  for (const { name, text } of files) if (text === null) await removeOwnFile(resolve(cwd, folder, name));
  return undefined;
}

/**
 * Joins the typed folder and a name without normalizing: a text that looks like a URL with a password must stay one, so
 * that messages mask it.
 */
export const inFolder = (folder: string, name: string): string => `${folder.replace(/\/$/, '')}/${name}`;

/** Matches a file with this start, or an empty file, which has nothing to lose. */
const startingWith = (start: string): RegExp =>
  new RegExp(`^(?:\\s*$|${start.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`);

async function removeOwnFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw asDiskError(error, path);
  }
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
function placeFault(path: string, cwd: string, mayReplace: RegExp): string | undefined {
  const named = systemFault(path);
  if (named !== undefined) return named.reason;
  try {
    const opened = openInput(path, cwd);
    if (opened.kind === 'is-directory') return 'it is a folder';
    if (opened.kind === 'unreadable') return opened.reason;
    try {
      const start = Buffer.alloc(START_BYTES);
      const read = readSync(opened.file, start, 0, START_BYTES, 0);
      return mayReplace.test(start.toString('utf8', 0, read)) ? undefined : 'it contains something else';
    } finally {
      closeSync(opened.file);
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asDiskError(error, path);
    return missingFileFault(path, cwd);
  }
}

const START_BYTES = 64;

/** Checks the nearest existing folder above a new file; it may be a link even when folders in between are missing. */
function missingFileFault(path: string, cwd: string): string | undefined {
  try {
    const real = join(realpathSync.native(dirname(path)), basename(path));
    return (linkFault({ path, real, cwd }) ?? systemFault(real))?.reason;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asDiskError(error, path);
    return dirname(path) === path ? undefined : missingFileFault(dirname(path), cwd);
  }
}

/** Like `placeFault`, for the JSON output of a plan: only an empty file or an earlier plan may be replaced. */
export const planPlaceFault = (path: string, cwd: string): string | undefined => placeFault(path, cwd, EMPTY_OR_PLAN);

/** A plan begins with its schema version and the name of the fleet. */
const EMPTY_OR_PLAN = /^(?:\s*$|\{\s*"schemaVersion": \d+,\s*"fleet":)/;

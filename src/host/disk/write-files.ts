import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, link, lstat, mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asDiskError, DiskError, EnvironmentError, errorCode } from './disk-error.ts';
import { cleanUpUnlessDone } from './tree/process-lock.ts';

/** The next content of a file, written completely beside it. */
export interface PreparedFile {
  /** Replaces the file in one step. */
  readonly commit: () => Promise<void>;
  /** Removes the prepared content; the file stays as it is. */
  readonly discard: () => Promise<void>;
}

/** Replaces a text file in one step: a kill leaves the old file or the new one. A symbolic link stays a link. */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  const prepared = await prepareFile(path, text);
  await prepared.commit();
}

/** Writes the next content of a file beside it, so that only the final rename can still fail. */
export async function prepareFile(path: string, text: string): Promise<PreparedFile> {
  try {
    const target = await realpath(path).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return path;
      throw error;
    });
    const beside = join(dirname(target), `.weft-${randomBytes(6).toString('hex')}.new`);
    const done = cleanUpUnlessDone(() => rmSync(beside, { force: true }));
    const discard = () => rm(beside, { force: true }).finally(done);
    await orElse(discard, () => writeAndSync(beside, text));
    const commit = () => orElse(discard, () => rename(beside, target).finally(done)).catch(throwDiskError(path));
    return { commit, discard };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asDiskError(error, path);
    throw new EnvironmentError(
      `cannot write ${path}: its folder does not exist`,
      'create the folder, or choose another one',
    );
  }
}

const throwDiskError = (path: string) => (error: unknown) => {
  throw asDiskError(error, path);
};

async function orElse(undo: () => Promise<void>, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    await undo();
    throw error;
  }
}

/** A file that does not exist yet, written completely beside its path. */
export interface NewFile {
  /** Gives the file its name. Returns false if another file or a broken link already has that name; it is kept. */
  readonly commit: () => Promise<boolean>;
  /** Removes the file, with or without its name. */
  readonly discard: () => Promise<void>;
}

/** Writes the content of a new file into its folder, so that only giving it its name can still fail. */
export async function prepareNewFile(path: string, text: string): Promise<NewFile> {
  const beside = join(dirname(path), `.weft-${randomBytes(6).toString('hex')}.new`);
  let isNamed = false;
  const done = cleanUpUnlessDone(() => rmSync(beside, { force: true }));
  const discard = async (): Promise<void> => {
    await rm(beside, { force: true }).finally(done);
    if (isNamed) await rm(path, { force: true });
  };
  try {
    await writeAndSync(beside, text);
  } catch (error) {
    await discard();
    throw asDiskError(error, path);
  }
  const commit = async (): Promise<boolean> => {
    try {
      isNamed = await nameIfFree(beside, path);
      await rm(beside, { force: true }).finally(done);
      return isNamed;
    } catch (error) {
      throw asDiskError(error, path);
    }
  };
  return { commit, discard };
}

/** Adds a second name to the file: a rename would replace an existing file, a hard link does not. */
async function nameIfFree(beside: string, path: string): Promise<boolean> {
  try {
    await link(beside, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!WITHOUT_LINKS.has(errorCode(error))) throw error;
  }
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) await rename(beside, path);
  return !isThere;
}

/** Error codes of file systems without hard links: FAT, and some network file systems. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Writes a file that must not exist yet, and waits until it is on the disk. The calls are synchronous, because a signal
 * that is handled before the file exists would not remove it.
 */
async function writeAndSync(path: string, text: string): Promise<void> {
  const file = openSync(path, 'wx', 0o666);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Appends a text to a file, which is created if it does not exist. */
export const appendToFile = (path: string, text: string): Promise<void> =>
  appendFile(path, text).catch((error: unknown) => {
    throw asDiskError(error, path);
  });

/**
 * Creates a folder and its missing parents. Node's recursive `mkdir` never returns when a parent exists but nothing can
 * be created in it, as below `/proc`.
 *
 * @param mode the mode of the created folders.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  if (await makeOne(path, mode)) return;
  if (path === dirname(path)) throw new DiskError('ENOENT', path);
  await makeFolder(dirname(path), mode);
  if (!(await makeOne(path, mode))) throw new DiskError('ENOENT', path);
}

/** Creates one folder; returns false if the folder above it is missing. */
async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    if (errorCode(error) !== 'EEXIST') throw asDiskError(error, path);
    // A broken link is not a folder either.
    const there = await stat(path).catch(() => undefined);
    if (there?.isDirectory() === true) return true;
    throw new DiskError('ENOTDIR', path);
  }
}

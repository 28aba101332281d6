import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cleanUpUnlessDone } from './clean-up.ts';
import { asDiskError, errorCode } from './disk-error.ts';
import { EnvironmentError } from './environment-error.ts';
import { writeAndSync } from './write-and-sync.ts';

/** The next content of a file, complete on disk beside it. */
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

/** Writes the next content of a file, so that nothing but a rename can fail later. */
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
    const commit = () => orElse(discard, () => rename(beside, target).finally(done)).catch(failed(path));
    return { commit, discard };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw asDiskError(error, path);
    throw new EnvironmentError(
      `cannot write ${path}: its folder does not exist`,
      'create the folder, or choose another one',
    );
  }
}

const failed = (path: string) => (error: unknown) => {
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

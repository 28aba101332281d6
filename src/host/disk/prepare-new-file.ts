import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, lstat, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cleanUpUnlessDone } from './clean-up.ts';
import { asDiskError, errorCode } from './disk-error.ts';
import { writeAndSync } from './write-and-sync.ts';

/** A file that is not there yet, complete on disk beside its place. */
export interface NewFile {
  /** Gives the file its name. False where by now another file has it, or a link that leads nowhere: that one stays. */
  readonly commit: () => Promise<boolean>;
  /** Removes the file, whether it has its name or not. */
  readonly discard: () => Promise<void>;
}

/** Writes the content of a new file into its folder, so that nothing but giving it its name can fail later. */
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

/** A rename would replace what is there; a second name for the same file does not. */
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

/** What file systems without a second name for a file answer: FAT, and some that are mounted over a network. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

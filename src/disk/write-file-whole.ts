import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';

/** Replaces a text file in one step: a kill leaves the old file or the new one. A symbolic link stays a link. */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  try {
    const target = await realpath(path).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return path;
      throw error;
    });
    await replace(target, text);
  } catch (error) {
    throw asDiskError(error, path);
  }
}

async function replace(target: string, text: string): Promise<void> {
  const beside = join(dirname(target), `.weft-${randomBytes(6).toString('hex')}.new`);
  try {
    const file = await open(beside, 'wx', 0o666);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

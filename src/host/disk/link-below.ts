import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './disk-error.ts';

/** The symbolic link nearest to a path among itself and the folders above it, up to one that is not looked at. */
export async function linkBelow(folder: string, path: string): Promise<string | undefined> {
  for (let at = path; at !== folder && at !== dirname(at); at = dirname(at)) if (await isLink(at)) return at;
  return undefined;
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (errorCode(error) === '') throw error;
    // Whoever reads it reports why it cannot be read.
    return false;
  }
}

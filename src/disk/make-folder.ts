import { mkdir } from 'node:fs/promises';
import { asDiskError } from './disk-error.ts';

/** Makes a folder and those above it, as far as they are not there. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw asDiskError(error, path);
  });
}

import { mkdir } from 'node:fs/promises';
import { asDiskError } from './disk-error.ts';

/** Creates a folder and its missing parents. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw asDiskError(error, path);
  });
}

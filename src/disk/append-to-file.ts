import { appendFile } from 'node:fs/promises';
import { asDiskError } from './disk-error.ts';

/** Writes a text at the end of a file, which is created when there is none. */
export const appendToFile = (path: string, text: string): Promise<void> =>
  appendFile(path, text).catch((error: unknown) => {
    throw asDiskError(error, path);
  });

import { appendFile } from 'node:fs/promises';
import { asDiskError } from './disk-error.ts';

/** Appends a text to a file, which is created if it does not exist. */
export const appendToFile = (path: string, text: string): Promise<void> =>
  appendFile(path, text).catch((error: unknown) => {
    throw asDiskError(error, path);
  });

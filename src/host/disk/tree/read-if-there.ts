import { readFileSync } from 'node:fs';
import { errorCode } from '../disk-error.ts';
import { EnvironmentError } from '../environment-error.ts';
import { entryAt } from './disk-view.ts';

/** A record has a line for each file of a cluster, and the old one for each file of the fleet. */
const LARGEST_RECORD_BYTES = 256 * 1024 * 1024;

/** The text of a record or the journal. Nothing but a file is read: the problems of a request report what else is at the path. */
export function readIfThere(path: string): string | null {
  try {
    const { kind, bytes } = entryAt(path);
    if (kind !== 'file') return null;
    if (bytes > LARGEST_RECORD_BYTES) {
      const size = `${Math.ceil(bytes / (1024 * 1024))} MiB`;
      throw new EnvironmentError(
        `${path} is too large to be a record of weft: it has ${size}`,
        'delete it and compile again',
      );
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

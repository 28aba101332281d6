import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';

/** A path without symbolic links, as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path === dirname(path)) throw asDiskError(error, path);
    return join(realPath(dirname(path)), path.slice(dirname(path).length).replace(/^\/+/, ''));
  }
}

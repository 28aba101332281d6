import { readdir } from 'node:fs/promises';
import { byCodeUnit } from '../core/order.ts';
import { asDiskError, errorCode } from './disk-error.ts';

/** Files in a folder by name, by code unit, without those that begin with a dot; `undefined` if it is not a folder. */
export async function fileNamesIn(folder: string): Promise<readonly string[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((it) => !it.isDirectory() && !it.name.startsWith('.')).map((it) => it.name);
    return names.sort(byCodeUnit);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
    throw asDiskError(error, folder);
  }
}

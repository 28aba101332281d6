import { readdir, realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { byCodeUnit } from '../../base/core/order.ts';
import { asDiskError, errorCode } from './disk-error.ts';
import { EnvironmentError } from './environment-error.ts';
import { linkFault, systemFault } from './input-place.ts';

/**
 * Files in a folder by name, by code unit, without those that begin with a dot; `undefined` if it is not a folder. Names are
 * printed, so no link may lead to the folder of somebody else.
 *
 * @param folder as an absolute path.
 * @param cwd the working folder.
 */
export async function fileNamesIn(folder: string, cwd = folder): Promise<readonly string[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const fault = systemFault(folder) ?? linkFault({ path: folder, real: await realpath(folder), cwd });
    if (fault !== undefined)
      throw new EnvironmentError(`cannot read ${relative(cwd, folder) || folder}: ${fault.reason}`, fault.hint);
    const names = entries.filter((it) => !it.isDirectory() && !it.name.startsWith('.')).map((it) => it.name);
    return names.sort(byCodeUnit);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
    throw asDiskError(error, folder);
  }
}

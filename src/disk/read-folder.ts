import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { byCodeUnit } from '../core/order.ts';
import { asDiskError, errorCode } from './disk-error.ts';

export type FolderResult =
  /** Texts by path below the folder, with `/` on every system, in order of code units. */
  | { readonly kind: 'read'; readonly files: ReadonlyMap<string, string> }
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-folder' };

/** Every regular file below a folder as text; links are not followed. A file that is not UTF-8 counts as different later. */
export async function readFolder(
  root: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<FolderResult> {
  try {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((it) => it.isFile())
      .map((it) => pathBelow(root, join(it.parentPath ?? it.path, it.name)))
      .filter(isWanted)
      .sort(byCodeUnit);
    const files = new Map<string, string>();
    // Read one after the other, since a fleet has more files than a process may have open.
    for (const path of paths) files.set(path, await readFile(join(root, path), 'utf8'));
    return { kind: 'read', files };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { kind: 'missing' };
    if (errorCode(error) === 'ENOTDIR') return { kind: 'not-a-folder' };
    throw asDiskError(error, root);
  }
}

const pathBelow = (root: string, path: string): string => path.slice(root.length + 1).replaceAll('\\', '/');

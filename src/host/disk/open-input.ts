import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { linkFault, type PlaceFault, systemFault } from './input-place.ts';

/** A regular file that is open for reading, or why it is none. */
type OpenedInput =
  | { readonly kind: 'open'; readonly file: FileHandle; readonly bytes: number }
  | { readonly kind: 'is-directory' }
  | ({ readonly kind: 'unreadable' } & PlaceFault);

/** Opens a file for reading, but no link, and without waiting for the writer of a pipe. */
export const NOT_THROUGH_LINKS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Opens an input: a regular file, to which no link leads from outside. Errors of the disk are thrown. */
export async function openInput(path: string, cwd: string): Promise<OpenedInput> {
  const named = systemFault(path);
  if (named !== undefined) return { kind: 'unreadable', ...named };
  const real = await realpath(path);
  const fault = linkFault({ path, real, cwd }) ?? systemFault(real);
  if (fault !== undefined) return { kind: 'unreadable', ...fault };
  // Opening a device may have an effect, so this asks first.
  const before = kindFault(await stat(real));
  if (before !== undefined) return before;
  const file = await open(real, NOT_THROUGH_LINKS);
  try {
    const now = await file.stat();
    const after = kindFault(now);
    if (after === undefined) return { kind: 'open', file, bytes: now.size };
    await file.close();
    return after;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function kindFault(it: Stats): Exclude<OpenedInput, { kind: 'open' }> | undefined {
  if (it.isFile()) return undefined;
  if (it.isDirectory()) return { kind: 'is-directory' };
  const what = it.isFIFO() ? 'a pipe' : it.isSocket() ? 'a socket' : 'a device';
  return {
    kind: 'unreadable',
    reason: `it is ${what}, not a file`,
    hint: 'write the text to a file first, and name that file',
  };
}

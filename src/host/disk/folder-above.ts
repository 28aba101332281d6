import { type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from './repository-root.ts';

/**
 * The nearest folder above the working folder that contains a folder with a name, as an absolute path. The search ends at the
 * root of the git repository: what lies around it is none of its business. Outside of any it ends where another user
 * owns the folder: in /tmp anybody may have put one.
 */
export function folderAbove(cwd: string, name: string): string | undefined {
  const root = repositoryRoot(cwd);
  const owner = statOf(cwd)?.uid;
  for (let at = cwd; at !== root && at !== dirname(at); ) {
    at = dirname(at);
    if (root === undefined && statOf(at)?.uid !== owner) return undefined;
    const found = statOf(join(at, name));
    if (found?.isDirectory() && found.uid === owner) return at;
  }
  return undefined;
}

/** `undefined` for what is not there, and for what nobody may look at. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

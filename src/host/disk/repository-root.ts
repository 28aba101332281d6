import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A folder relative to the root of the work tree that it is in, with `/` on every system; `undefined` outside of any. */
export function folderInRepository(folder: string): string | undefined {
  const root = repositoryRoot(folder);
  return root === undefined ? undefined : relative(root, folder).replaceAll('\\', '/');
}

/** The work tree that a folder is in; `undefined` outside of any. `.git` is a file in submodules and linked work trees. */
export function repositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The work tree that a folder is in; `undefined` outside of any. `.git` is a file in submodules and linked work trees. */
export function repositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

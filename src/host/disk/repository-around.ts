import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realPath } from './real-path.ts';
import { repositoryRoot } from './repository-root.ts';

/** The git repository that a path lies in, also if symbolic links lead there; a bare one, too. `undefined` outside of any. */
export function repositoryAround(path: string): string | undefined {
  const real = realPath(path);
  return repositoryRoot(real) ?? bareRepository(real);
}

/** Git recognises a repository without a work tree by these entries. Source: git setup.c (is_git_directory). */
const ENTRIES = ['HEAD', 'objects', 'refs'];

function bareRepository(path: string): string | undefined {
  if (ENTRIES.every((it) => existsSync(join(path, it)))) return path;
  return path === dirname(path) ? undefined : bareRepository(dirname(path));
}

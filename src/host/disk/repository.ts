import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';

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

/** A path without symbolic links, as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path === dirname(path)) throw asDiskError(error, path);
    return join(realPath(dirname(path)), path.slice(dirname(path).length).replace(/^\/+/, ''));
  }
}

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

/** Whether a file or a folder exists at a path. */
export const pathExists = (path: string): boolean => existsSync(path);

import { existsSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';

/** A folder relative to the root of its work tree, with `/` on every system; `undefined` outside a work tree. */
export function folderInRepository(folder: string): string | undefined {
  const root = repositoryRoot(folder);
  return root === undefined ? undefined : relative(root, folder).replaceAll('\\', '/');
}

/**
 * The root of the work tree that contains a folder; `undefined` outside a work tree. `.git` is a file in submodules and
 * linked work trees.
 */
export function repositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** The git repository (possibly bare) of a path after its links are resolved; `undefined` outside a repository. */
export function repositoryAround(path: string): string | undefined {
  const real = realPath(path);
  return repositoryRoot(real) ?? bareRepository(real);
}

/** The entries by which git recognises a repository without a work tree. Source: git setup.c (is_git_directory). */
const ENTRIES = ['HEAD', 'objects', 'refs'];

function bareRepository(path: string): string | undefined {
  if (ENTRIES.every((it) => existsSync(join(path, it)))) return path;
  return path === dirname(path) ? undefined : bareRepository(dirname(path));
}

/** The path after symbolic links are resolved, as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path === dirname(path)) throw asDiskError(error, path);
    return join(realPath(dirname(path)), path.slice(dirname(path).length).replace(/^\/+/, ''));
  }
}

/**
 * The nearest folder above the working folder that passes a test, as an absolute path. The search ends at the root of
 * the git repository. Outside a repository it ends at a folder of another user, because in /tmp any user may have
 * created one. Entries of other users are missing in the test.
 */
export function folderAbove(
  cwd: string,
  isWanted: (folder: string, has: (name: string, kind: 'file' | 'folder') => boolean) => boolean,
): string | undefined {
  const root = repositoryRoot(cwd);
  const owner = statOf(cwd)?.uid;
  for (let at = cwd; at !== root && at !== dirname(at); ) {
    at = dirname(at);
    if (root === undefined && statOf(at)?.uid !== owner) return undefined;
    const has = (name: string, kind: 'file' | 'folder'): boolean => {
      const found = statOf(join(at, name));
      return found?.uid === owner && found?.isDirectory() === (kind === 'folder');
    };
    if (isWanted(at, has)) return at;
  }
  return undefined;
}

/** Returns `undefined` when the path is missing or may not be read. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** True when a file or a folder exists at a path. */
export const pathExists = (path: string): boolean => existsSync(path);

/** A git work tree on this disk. Paths are relative to the working folder. */
export interface Checkout {
  readonly root: string;
  /** The path relative to the root of the repository; `undefined` for a path that is not below it. */
  readonly pathInRepository: (path: string) => string | undefined;
  /** True when a file exists at a path below the root of the repository; false for a path outside the repository. */
  readonly hasFile: (pathInRepository: string) => boolean;
  /**
   * The text of a file byte for byte, a byte order mark included, as git hashes it; `null` when the file is missing.
   */
  readonly rawText: (path: string) => Promise<string | null>;
}

interface CheckoutPlace {
  /** The working folder, as an absolute path. */
  readonly cwd: string;
  /** A file of the checkout; it may be in a folder below the working folder. */
  readonly file: string;
  /** The root when no folder above the file contains `.git`. */
  readonly fallback: string;
}

export function openCheckout({ cwd, file, fallback }: CheckoutPlace): Checkout {
  const root = repositoryRoot(dirname(resolve(cwd, file))) ?? fallback;
  return {
    root,
    pathInRepository: (path) => {
      const below = relative(root, resolve(cwd, path)).replaceAll('\\', '/');
      return below.startsWith('..') || below === '' ? undefined : below;
    },
    hasFile: (path) => !relative(root, resolve(root, path)).startsWith('..') && pathExists(resolve(root, path)),
    rawText: (path) => rawText(resolve(cwd, path)),
  };
}

async function rawText(path: string): Promise<string | null> {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw asDiskError(error, path);
  }
}

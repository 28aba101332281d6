import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';
import { pathExists, repositoryRoot } from './repository.ts';

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

/** Opens the checkout that contains a file. */
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
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw asDiskError(error, path);
  }
}

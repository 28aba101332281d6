import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { asDiskError, errorCode } from './disk-error.ts';
import { repositoryRoot } from './repository-root.ts';

/** A repository on this disk. Paths are relative to the working folder. */
export interface Checkout {
  readonly root: string;
  /** The path relative to the root of the repository; `undefined` for a path that is not below it. */
  readonly pathInRepository: (path: string) => string | undefined;
  /** A file byte for byte, a byte order mark included, as git hashes it; `null` when there is none. */
  readonly rawText: (path: string) => Promise<string | null>;
}

/** The checkout around a folder: the folder that has `.git`, or else `fallback`. */
export function openCheckout(cwd: string, fallback: string): Checkout {
  const root = repositoryRoot(cwd) ?? fallback;
  return {
    root,
    pathInRepository: (path) => {
      const below = relative(root, resolve(cwd, path)).replaceAll('\\', '/');
      return below.startsWith('..') || below === '' ? undefined : below;
    },
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

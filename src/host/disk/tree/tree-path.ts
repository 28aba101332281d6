import { hash } from 'node:crypto';
import { OWN_FOLDER } from '../../../base/core/bundle-path.ts';

/** Returns why a path is not allowed below root; `undefined` if it is allowed. The separator is `/` on every system. */
export function pathFault(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.includes('\0')) return 'contains a NUL character';
  if (/[\r\n]/.test(path)) return 'contains a line break';
  if (path.includes('\\')) return 'contains a backslash';
  if (path.startsWith('/')) return 'is absolute';
  if (/^[A-Za-z]:/.test(path)) return 'starts with a drive letter';
  const segments = path.split('/');
  if (segments.includes('..')) return 'leaves its folder through ".."';
  if (segments.includes('') || segments.includes('.')) return 'has an empty or "." part';
  if (isInOwnFolder(path)) return `is in "${OWN_FOLDER}", which is reserved for weft`;
  return undefined;
}

/**
 * True when a path is weft's own folder or below it. On a file system that ignores case, `.Weft` is the same folder.
 */
export const isInOwnFolder = (path: string): boolean => topOf(path).toLowerCase() === OWN_FOLDER;

/** The path of the folder above: `a/b` for `a/b/c`, the empty string for `a`. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The paths of all folders above a path: `a` and `a/b` for `a/b/c`. */
export function foldersOver(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}

/** The folders above many paths, each once. */
export function foldersOverAll(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let it = parentOf(path); it !== '' && !folders.has(it); it = parentOf(it)) folders.add(it);
  return folders;
}

/** The first segment of a path, which is what a scope contains. */
export const topOf = (path: string): string => {
  const end = path.indexOf('/');
  return end === -1 ? path : path.slice(0, end);
};

/** Returns a test that is true for the paths that a request with this scope covers. */
export function scopeCovers(scope: readonly string[] | null): (path: string) => boolean {
  if (scope === null) return () => true;
  const tops = new Set(scope);
  return (path) => tops.has(topOf(path));
}

export const sha256 = (bytes: string | Buffer): string => hash('sha256', bytes);

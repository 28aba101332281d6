import { hash } from 'node:crypto';
import { OWN_FOLDER } from '../../../base/core/bundle-path.ts';

/** Why a path is not allowed below root, or `undefined` if it is allowed. Its separator is `/` on every system. */
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

/** Whether a path is weft's own folder or below it. On a file system that ignores case, `.Weft` is the same folder. */
export const isInOwnFolder = (path: string): boolean => topOf(path).toLowerCase() === OWN_FOLDER;

/** `a/b` for `a/b/c`, the empty string for `a`. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** `a` and `a/b` for `a/b/c`. */
export function foldersOver(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}

/** The folders over many paths, each once. */
export function foldersOverAll(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let it = parentOf(path); it !== '' && !folders.has(it); it = parentOf(it)) folders.add(it);
  return folders;
}

/** The first part of a path: what a scope names. */
export const topOf = (path: string): string => {
  const end = path.indexOf('/');
  return end === -1 ? path : path.slice(0, end);
};

/** Whether a request with this scope covers a path. */
export function scopeCovers(scope: readonly string[] | null): (path: string) => boolean {
  if (scope === null) return () => true;
  const tops = new Set(scope);
  return (path) => tops.has(topOf(path));
}

export const sha256 = (bytes: string | Buffer): string => hash('sha256', bytes);

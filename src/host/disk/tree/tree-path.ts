import { hash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_FOLDER } from '../../../base/core/bundle-path.ts';
import { errorCode } from '../disk-error.ts';

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

export type EntryKind = 'missing' | 'folder' | 'file' | 'link' | 'other';

interface Entry {
  readonly kind: EntryKind;
  readonly bytes: number;
}

/**
 * The result of checking every part of a folder's path with `lstat`: `open` when no part is a symbolic link or a file.
 */
type FolderAccess =
  | { readonly kind: 'open' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'blocked'; readonly at: string; readonly by: EntryKind };

/** The entries below root, without following links. Each folder is listed at most once. */
export interface DiskView {
  /** Reads the entry from the disk at every call. */
  readonly entryOf: (path: string) => Entry;
  readonly accessTo: (folder: string) => FolderAccess;
  /** The kind of an entry in a reachable folder. Lists the folder, so that one system call serves many entries. */
  readonly kindOf: (path: string) => EntryKind;
  /** The entries of a reachable folder, by name. */
  readonly list: (folder: string) => ReadonlyMap<string, EntryKind>;
}

const OPEN: FolderAccess = { kind: 'open' };
const MISSING: FolderAccess = { kind: 'missing' };

/** A function that returns the entries of a folder; calling `read` lists it on the disk. */
export type ReadEntries = (
  folder: string,
  read: () => ReadonlyMap<string, EntryKind>,
) => ReadonlyMap<string, EntryKind>;

const askEveryTime: ReadEntries = (_, read) => read();

/** @param rootExists true when root is a folder or a link to one. */
export function diskView(root: string, rootExists: boolean, readEntries = askEveryTime): DiskView {
  const accesses = new Map<string, FolderAccess>([['', rootExists ? OPEN : MISSING]]);
  const lists = new Map<string, ReadonlyMap<string, EntryKind> | undefined>();
  const entryOf = (path: string): Entry => entryAt(join(root, path));
  const list = (folder: string): ReadonlyMap<string, EntryKind> => {
    const path = join(root, folder);
    return readEntries(path, () => {
      const entries = readdirSync(path, { withFileTypes: true });
      return new Map(entries.map((it) => [it.name, kindOf(it)]));
    });
  };
  const listOnce = (folder: string): ReadonlyMap<string, EntryKind> | undefined => {
    if (!lists.has(folder))
      lists.set(
        folder,
        undefinedIfRefused(() => list(folder)),
      );
    return lists.get(folder);
  };
  const kindAt = (path: string): EntryKind => {
    const folder = parentOf(path);
    // Root is not listed, because it has a folder for each cluster.
    const listed = folder === '' ? undefined : listOnce(folder);
    return listed === undefined ? entryOf(path).kind : (listed.get(path.slice(folder.length + 1)) ?? 'missing');
  };
  const accessTo = (folder: string): FolderAccess => {
    const known = accesses.get(folder);
    if (known) return known;
    const above = accessTo(parentOf(folder));
    const access = above.kind === 'open' ? accessThrough(folder, kindAt(folder)) : above;
    accesses.set(folder, access);
    return access;
  };
  return { entryOf, accessTo, kindOf: kindAt, list };
}

/** Returns `undefined` on a file system error: a folder without read permission can still be traversed. */
function undefinedIfRefused<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return undefined;
  }
}

/** One entry on disk, without following a link. */
export function entryAt(path: string): Entry {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? { kind: 'missing', bytes: 0 } : { kind: kindOf(stat), bytes: stat.size };
}

function accessThrough(folder: string, kind: EntryKind): FolderAccess {
  if (kind === 'folder') return OPEN;
  return kind === 'missing' ? MISSING : { kind: 'blocked', at: folder, by: kind };
}

interface Typed {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export function kindOf(it: Typed): EntryKind {
  if (it.isSymbolicLink()) return 'link';
  if (it.isDirectory()) return 'folder';
  return it.isFile() ? 'file' : 'other';
}

/** The number of files or items between two turns of the event loop: a few milliseconds of work, so that signals are handled. */
const BATCH = 256;

/** Returns a function that counts files and yields to the event loop after every batch of them. */
export function turns(): (files: number) => Promise<void> {
  let done = 0;
  return async (files) => {
    done += files;
    if (done < BATCH) return;
    done = 0;
    await new Promise((resolve) => setImmediate(resolve));
  };
}

/**
 * Calls `act` for each item, in order; `act` uses synchronous file calls. For many small files this is about four times
 * as fast as promises over libuv's four threads (20,000 cached files: 0.2 s against 0.75 s to stat and read), and it
 * cannot run out of file descriptors.
 */
export async function inBatches<T>(items: Iterable<T>, act: (item: T) => void): Promise<void> {
  let done = 0;
  for (const item of items) {
    act(item);
    if (++done % BATCH === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../disk-error.ts';
import { parentOf } from './tree-path.ts';

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

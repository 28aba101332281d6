import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../disk-error.ts';
import { parentOf } from './tree-path.ts';

export type EntryKind = 'missing' | 'folder' | 'file' | 'link' | 'other';

interface Entry {
  readonly kind: EntryKind;
  readonly bytes: number;
}

/** Whether a folder below root can be reached without a symbolic link, according to `lstat` of every part of its path. */
type FolderAccess =
  | { readonly kind: 'open' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'blocked'; readonly at: string; readonly by: EntryKind };

/** The content of root without following links. Each folder is looked at once. */
export interface DiskView {
  /** Asks the disk every time. */
  readonly entryOf: (path: string) => Entry;
  readonly accessTo: (folder: string) => FolderAccess;
  /** The kind of an entry in a folder that can be reached; the folder is listed, so that many are found with one call. */
  readonly kindOf: (path: string) => EntryKind;
  /** The entries of a folder that can be reached, by name. */
  readonly list: (folder: string) => ReadonlyMap<string, EntryKind>;
}

const OPEN: FolderAccess = { kind: 'open' };
const MISSING: FolderAccess = { kind: 'missing' };

/** How the entries of a folder are read: `read` asks the disk. */
export type ReadEntries = (
  folder: string,
  read: () => ReadonlyMap<string, EntryKind>,
) => ReadonlyMap<string, EntryKind>;

const askEveryTime: ReadEntries = (_, read) => read();

/** `rootExists`: whether root is a folder, itself or through a link. */
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
    // Root has a folder for each cluster.
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

/** A folder that may not be listed may still be passed through. */
function undefinedIfRefused<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return undefined;
  }
}

/** One entry, without following a link. */
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

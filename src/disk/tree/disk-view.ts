import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parentOf } from './tree-path.ts';

export type EntryKind = 'missing' | 'folder' | 'file' | 'link' | 'other';

interface Entry {
  readonly kind: EntryKind;
  readonly bytes: number;
}

/** Whether a folder below root can be reached without a symbolic link, according to `lstat` of every part of its path. */
export type FolderAccess =
  | { readonly kind: 'open' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'blocked'; readonly at: string; readonly by: EntryKind };

/** The content of root without following links. Each folder is checked once. */
export interface DiskView {
  readonly entryOf: (path: string) => Entry;
  readonly accessTo: (folder: string) => FolderAccess;
  /** Whether there is anything at a path in a folder that can be reached; each folder is listed once. */
  readonly isThere: (path: string) => boolean;
  /** The entries of a folder that can be reached. */
  readonly list: (folder: string) => readonly { readonly path: string; readonly kind: EntryKind }[];
}

const OPEN: FolderAccess = { kind: 'open' };
const MISSING: FolderAccess = { kind: 'missing' };

/** `rootExists`: whether root is a folder, itself or through a link. */
export function diskView(root: string, rootExists: boolean): DiskView {
  const accesses = new Map<string, FolderAccess>([['', rootExists ? OPEN : MISSING]]);
  const names = new Map<string, ReadonlySet<string>>();
  const entryOf = (path: string): Entry => entryAt(join(root, path));
  const accessTo = (folder: string): FolderAccess => {
    const known = accesses.get(folder);
    if (known) return known;
    const above = accessTo(parentOf(folder));
    const access = above.kind === 'open' ? accessThrough(folder, entryOf(folder).kind) : above;
    accesses.set(folder, access);
    return access;
  };
  const isThere = (path: string): boolean => {
    const folder = parentOf(path);
    let its = names.get(folder);
    if (its === undefined) names.set(folder, (its = new Set(readdirSync(join(root, folder)))));
    return its.has(path.slice(folder === '' ? 0 : folder.length + 1));
  };
  const list = (folder: string) =>
    readdirSync(join(root, folder), { withFileTypes: true }).map((it) => ({
      path: `${folder}/${it.name}`,
      kind: kindOf(it),
    }));
  return { entryOf, accessTo, isThere, list };
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

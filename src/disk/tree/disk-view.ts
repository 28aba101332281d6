import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parentOf } from './tree-path.ts';

export type EntryKind = 'missing' | 'folder' | 'file' | 'link' | 'other';

export interface Entry {
  readonly kind: EntryKind;
  readonly bytes: number;
}

/** Whether one can get to a folder below root without a symbolic link: what `lstat` says of every part of its path. */
export type Way =
  | { readonly kind: 'open' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'blocked'; readonly at: string; readonly by: EntryKind };

/** What lies below root, seen without following a link. Folders are asked about once. */
export interface DiskView {
  readonly look: (path: string) => Entry;
  readonly wayTo: (folder: string) => Way;
  /** The names in a folder to which the way is open. */
  readonly list: (folder: string) => readonly { readonly path: string; readonly kind: EntryKind }[];
}

const OPEN: Way = { kind: 'open' };
const MISSING: Way = { kind: 'missing' };

/** `rootExists`: whether root is a folder, itself or through a link. */
export function diskView(root: string, rootExists: boolean): DiskView {
  const ways = new Map<string, Way>([['', rootExists ? OPEN : MISSING]]);
  const look = (path: string): Entry => lookAt(join(root, path));
  const wayTo = (folder: string): Way => {
    const known = ways.get(folder);
    if (known) return known;
    const above = wayTo(parentOf(folder));
    const way = above.kind === 'open' ? wayThrough(folder, look(folder).kind) : above;
    ways.set(folder, way);
    return way;
  };
  const list = (folder: string) =>
    readdirSync(join(root, folder), { withFileTypes: true }).map((it) => ({
      path: `${folder}/${it.name}`,
      kind: kindOf(it),
    }));
  return { look, wayTo, list };
}

/** One entry, without following a link. */
export function lookAt(path: string): Entry {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? { kind: 'missing', bytes: 0 } : { kind: kindOf(stat), bytes: stat.size };
}

function wayThrough(folder: string, kind: EntryKind): Way {
  if (kind === 'folder') return OPEN;
  return kind === 'missing' ? MISSING : { kind: 'blocked', at: folder, by: kind };
}

interface Typed {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(it: Typed): EntryKind {
  if (it.isSymbolicLink()) return 'link';
  if (it.isDirectory()) return 'folder';
  return it.isFile() ? 'file' : 'other';
}

import type { GitStore } from './git-store.ts';
import { FOLDER, type GitEntry } from './tree-object.ts';

export interface EntryEdit {
  readonly path: readonly string[];
  /** `null` takes it out. */
  readonly entry: GitEntry | null;
}

/** A tree with some entries put in, replaced or taken out. A folder that runs empty goes, a file that gets children too. */
export function editTree(store: GitStore, base: string | null, edits: readonly EntryEdit[]): string {
  return edited(store, base, edits) ?? store.writeTree(new Map());
}

function edited(store: GitStore, base: string | null, edits: readonly EntryEdit[]): string | null {
  const entries = base === null ? new Map<string, GitEntry>() : store.treeAt(base);
  const below = new Map<string, EntryEdit[]>();
  for (const { path, entry } of edits) {
    const [name = '', ...rest] = path;
    if (rest.length > 0) below.set(name, [...(below.get(name) ?? []), { path: rest, entry }]);
    else if (entry === null) entries.delete(name);
    else entries.set(name, entry);
  }
  for (const [name, inside] of below) {
    const there = entries.get(name);
    const id = edited(store, there?.mode === FOLDER ? there.id : null, inside);
    if (id === null) entries.delete(name);
    else entries.set(name, { mode: FOLDER, id });
  }
  return entries.size === 0 ? null : store.writeTree(entries);
}

export function entryAt(store: GitStore, tree: string, path: readonly string[]): GitEntry | null {
  const [name = '', ...rest] = path;
  const entry = store.treeAt(tree).get(name) ?? null;
  if (rest.length === 0 || entry === null) return entry;
  return entry.mode === FOLDER ? entryAt(store, entry.id, rest) : null;
}

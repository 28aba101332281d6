import { type BigIntStats, lstatSync } from 'node:fs';
import type { BundleRecord } from './bundle-record.ts';
import type { EntryKind, ReadEntries } from './disk-view.ts';
import type { TreeProblem } from './tree-request.ts';

/** What a process keeps that writes the same tree again and again. */
export interface TreeMemory {
  /** Whether the file at a path has that content, or one with that hash; `compare` reads it, unless nobody has touched it since. */
  readonly isEqual: (path: string, content: string, compare: () => boolean) => boolean;
  /** The entries of a folder on disk; `read` lists it, unless nobody has added, removed or renamed one since. */
  readonly entriesOf: ReadEntries;
  /** The content of a folder at a path, which is that of last time if its version is; else `read` makes it. */
  readonly contentOf: (path: string, version: object, read: () => FolderContent) => FolderContent;
}

interface Seen<T> {
  readonly content: T;
  readonly stamp: Stamp;
}

/** What changes when somebody writes a file, even one who sets its time back. */
type Stamp = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

interface Folder {
  readonly version: object;
  readonly content: FolderContent;
}

/** Some file systems count time in steps of so many nanoseconds (FAT), so a younger file may change and keep its times. */
const STEP_NANOSECONDS = 2_000_000_000n;

export function treeMemory(): TreeMemory {
  const files = stamped<string>();
  const lists = stamped<ReadonlyMap<string, EntryKind>>();
  const folders = new Map<string, Folder>();
  return {
    isEqual: (path, content, compare) => {
      const known = files.look(path);
      if (known.content === content) return true;
      const isEqual = compare();
      known.is(isEqual ? content : undefined);
      return isEqual;
    },
    entriesOf: (path, read) => {
      const known = lists.look(path);
      if (known.content !== undefined) return known.content;
      const entries = read();
      known.is(entries);
      return entries;
    },
    contentOf: (path, version, read) => {
      const before = folders.get(path);
      if (before?.version === version) return before.content;
      const content = read();
      folders.set(path, { version, content });
      return content;
    },
  };
}

interface Look<T> {
  /** What was there last time, if nobody has touched it since. */
  readonly content: T | undefined;
  /** What was found there after this look. */
  readonly is: (content: T | undefined) => void;
}

/** What is known of paths, as long as their stamps are the same. */
function stamped<T>(): { readonly look: (path: string) => Look<T> } {
  const seen = new Map<string, Seen<T>>();
  return {
    look: (path) => {
      const now = BigInt(Date.now()) * 1_000_000n;
      // Before it is read: what changes meanwhile is another one the next time.
      const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      const before = seen.get(path);
      const isSame = before !== undefined && stat !== undefined && areEqual(before.stamp, stat);
      return {
        content: isSame ? before.content : undefined,
        is: (content) => {
          if (content !== undefined && stat !== undefined && isOld(stat, now))
            seen.set(path, { content, stamp: stampOf(stat) });
          else seen.delete(path);
        },
      };
    },
  };
}

const isOld = ({ ctimeNs, mtimeNs }: BigIntStats, now: bigint): boolean =>
  now - ctimeNs > STEP_NANOSECONDS && now - mtimeNs > STEP_NANOSECONDS;

const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Stamp => ({ dev, ino, size, mtimeNs, ctimeNs });

const areEqual = (a: Stamp, b: Stamp): boolean =>
  a.ctimeNs === b.ctimeNs && a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev;

/** What the wanted files of a folder are, without their bytes. */
export interface FolderContent {
  readonly paths: readonly string[];
  /** SHA-256 of each of them, in hex. */
  readonly hashes: readonly string[];
  /** The rows that a record has of them, and its text. */
  readonly rows: BundleRecord;
  readonly record: string;
  /** Paths that are not allowed. */
  readonly badPaths: readonly TreeProblem[];
}

import { type BigIntStats, lstatSync } from 'node:fs';
import type { EntryKind } from '../disk/tree/tree-path.ts';
import type { FolderContent, TreeMemory } from '../disk/tree/tree-request.ts';

interface Seen<T> {
  readonly content: T;
  readonly stamp: Stamp;
}

/** Properties that change when a file is written, even when its modification time is set back. */
type Stamp = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

interface RememberedFolder {
  readonly version: object;
  readonly content: FolderContent;
}

/** The coarsest time step of a file system (FAT). A file younger than this may change and keep its times. */
const STEP_NANOSECONDS = 2_000_000_000n;

/** Trusts a file or folder whose stamp is the same, unless it is so young that it may have changed since. */
export function treeMemory(): TreeMemory {
  const files = stamped<string>();
  const lists = stamped<ReadonlyMap<string, EntryKind>>();
  const folders = new Map<string, RememberedFolder>();
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
  /** The content at the last look, if it has not changed since. */
  readonly content: T | undefined;
  /** Records the content that was found after this look. */
  readonly is: (content: T | undefined) => void;
}

/** Remembers a value per path for as long as the file's stamp is the same. */
function stamped<T>(): { readonly look: (path: string) => Look<T> } {
  const seen = new Map<string, Seen<T>>();
  return {
    look: (path) => {
      const now = BigInt(Date.now()) * 1_000_000n;
      // The stamp is taken before the file is read, so a change during the read is found at the next look.
      const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      const before = seen.get(path);
      const isUnchanged = before !== undefined && stat !== undefined && areSameStamps(before.stamp, stat);
      return {
        content: isUnchanged ? before.content : undefined,
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

const areSameStamps = (a: Stamp, b: Stamp): boolean =>
  a.ctimeNs === b.ctimeNs && a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev;

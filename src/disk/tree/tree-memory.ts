import { type BigIntStats, lstatSync } from 'node:fs';
import type { FolderContent } from './folder-content.ts';

/** What a process keeps that writes the same tree again and again. */
export interface TreeMemory {
  /** Whether the file at a path has that content, or one with that hash; `compare` reads it, unless nobody has touched it since. */
  readonly isEqual: (path: string, content: string, compare: () => boolean) => boolean;
  /** The content of a folder at a path, which is that of last time if its version is; else `read` makes it. */
  readonly contentOf: (path: string, version: object, read: () => FolderContent) => FolderContent;
}

interface Seen {
  readonly content: string;
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
  const seen = new Map<string, Seen>();
  const folders = new Map<string, Folder>();
  return {
    isEqual: (path, content, compare) => {
      const now = BigInt(Date.now()) * 1_000_000n;
      // Before the file is read: one that changes meanwhile is another one the next time.
      const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      const before = seen.get(path);
      if (before !== undefined && stat !== undefined && before.content === content && areEqual(before.stamp, stat))
        return true;
      const isEqual = compare();
      if (
        isEqual &&
        stat !== undefined &&
        now - stat.ctimeNs > STEP_NANOSECONDS &&
        now - stat.mtimeNs > STEP_NANOSECONDS
      )
        seen.set(path, { content, stamp: stampOf(stat) });
      else seen.delete(path);
      return isEqual;
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

const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Stamp => ({ dev, ino, size, mtimeNs, ctimeNs });

const areEqual = (a: Stamp, b: Stamp): boolean =>
  a.ctimeNs === b.ctimeNs && a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev;

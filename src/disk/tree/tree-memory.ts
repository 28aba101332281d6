import { lstatSync } from 'node:fs';

/**
 * The files that one process has compared with what it wants, for a process that writes the same tree again and again: a file that
 * nobody has touched since is not read again.
 */
export interface TreeMemory {
  /** Whether the file at a path has the content with that hash; `compare` reads it. */
  readonly isEqual: (path: string, hash: string, compare: () => boolean) => boolean;
}

interface Seen {
  readonly hash: string;
  readonly stamp: string;
}

/** Some file systems count time in steps of so many nanoseconds (FAT), so a younger file may change and keep its times. */
const STEP_NANOSECONDS = 2_000_000_000n;

export function treeMemory(): TreeMemory {
  const seen = new Map<string, Seen>();
  return {
    isEqual: (path, hash, compare) => {
      const now = BigInt(Date.now()) * 1_000_000n;
      // Before the file is read: one that changes meanwhile is another one the next time.
      const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      const stamp = stat === undefined ? '' : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
      const before = seen.get(path);
      if (before !== undefined && before.hash === hash && before.stamp === stamp) return true;
      const isEqual = compare();
      if (
        isEqual &&
        stat !== undefined &&
        now - stat.ctimeNs > STEP_NANOSECONDS &&
        now - stat.mtimeNs > STEP_NANOSECONDS
      )
        seen.set(path, { hash, stamp });
      else seen.delete(path);
      return isEqual;
    },
  };
}

import { type BigIntStats, lstatSync } from 'node:fs';

/** Properties that change when a file is written or replaced, even when its modification time is set back. */
export type Stamp = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

/** The stamp of an entry, and whether a later change of it cannot have the same stamp. */
export interface Stamped {
  readonly stamp: BigIntStats;
  readonly isOld: boolean;
}

/**
 * The stamp of an entry on disk, without following a link; `undefined` for a missing one. Ask before its content is read: a change
 * during the read then has another stamp.
 */
export function stampAt(path: string): Stamped | undefined {
  const now = BigInt(Date.now()) * NANOSECONDS;
  const stamp = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stamp && { stamp, isOld: isOld(stamp, now) };
}

const NANOSECONDS = 1_000_000n;

/**
 * The coarsest time step of a file system (FAT). A file younger than this may change and keep its times, like those that git calls
 * racily clean.
 */
const COARSEST_STEP = 2000n * NANOSECONDS;

const isOld = ({ ctimeNs, mtimeNs }: Stamp, now: bigint): boolean =>
  now - ctimeNs > COARSEST_STEP && now - mtimeNs > COARSEST_STEP;

export const areSameStamps = (a: Stamp, b: Stamp): boolean =>
  a.ctimeNs === b.ctimeNs && a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev;

import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isPrivate, makePrivateFolder } from './cache-folder.ts';
import { errorCode } from './disk-error.ts';
import { NOT_THROUGH_LINKS } from './read-text-file.ts';
import { sha256 } from './tree/tree-path.ts';

/** A file in the user's cache folder, which may be missing, damaged or forbidden at any time: that only costs time. */
interface CacheFile {
  /** The content; `undefined` unless it is exactly what this version of weft wrote for this subject. */
  readonly read: () => Buffer | undefined;
  /** Replaces the content in one step, if the folder can be written. */
  readonly write: (parts: readonly Buffer[]) => void;
}

/** A subject of the cache, and the program that may read what it wrote about it. */
interface CacheSubject {
  readonly folder: string;
  readonly subject: string;
  /** Differs between programs that may print something else. */
  readonly program: string;
}

export function cacheFile({ folder, subject, program }: CacheSubject): CacheFile {
  const path = join(folder, `${sha256(subject).slice(0, 32)}${ENDING}`);
  const head = (rest: readonly Buffer[]): Buffer => {
    const hash = createHash('sha256');
    for (const part of rest) hash.update(part);
    return Buffer.from(`${FORMAT} ${hash.digest('hex')}\n`);
  };
  const about = Buffer.from(`${JSON.stringify([program, subject])}\n`);
  return {
    read: () =>
      orUndefined(() => {
        if (!isPrivate(lstatSync(folder, { throwIfNoEntry: false }), 'isDirectory')) return undefined;
        const bytes = readPrivate(path);
        const at = bytes?.indexOf('\n') ?? -1;
        if (bytes === undefined || at === -1) return undefined;
        const rest = bytes.subarray(at + 1);
        if (!head([rest]).equals(bytes.subarray(0, at + 1)) || !rest.subarray(0, about.length).equals(about))
          return undefined;
        return rest.subarray(about.length);
      }),
    write: (parts) => {
      orUndefined(() => {
        makePrivateFolder(folder);
        if (!isPrivate(lstatSync(folder), 'isDirectory')) return;
        replacePrivate(path, [head([about, ...parts]), about, ...parts]);
        removeOldest(folder);
      });
    },
  };
}

const FORMAT = 'weft-cache-1';
/** The ending of every file in a cache folder. */
export const ENDING = '.weft-cache';
const UNFINISHED = '.new';

/** A fleet of 10,000 links has 20 MB. */
const LARGEST_BYTES = 256 * 1024 * 1024;

/** The bytes of all files in the folder; the oldest ones are removed above that. */
const LARGEST_FOLDER_BYTES = 512 * 1024 * 1024;

/** The age after which a file is not needed any more, or is left from a process that was killed. */
const OLD_MILLISECONDS = { kept: 30 * 24 * 3_600_000, unfinished: 3_600_000 };

/** The bytes of a file of this user that no other can change; `undefined` for another one. Errors of the disk are thrown. */
export function readPrivate(path: string): Buffer | undefined {
  const file = openSync(path, NOT_THROUGH_LINKS);
  try {
    const stat = fstatSync(file);
    if (!isPrivate(stat, 'isFile') || stat.size > LARGEST_BYTES) return undefined;
    const bytes = Buffer.allocUnsafeSlow(stat.size);
    let at = 0;
    for (let read = 1; at < bytes.length && read > 0; at += read)
      read = readSync(file, bytes, at, bytes.length - at, at);
    return bytes.subarray(0, at);
  } finally {
    closeSync(file);
  }
}

/** Replaces such a file in one step, also where another process does so. Errors of the disk are thrown. */
export function replacePrivate(path: string, parts: readonly Buffer[]): void {
  const beside = `${path}.${randomBytes(6).toString('hex')}${UNFINISHED}`;
  try {
    const file = openSync(beside, 'wx', 0o600);
    try {
      for (const part of parts) for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
    } finally {
      closeSync(file);
    }
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Keeps the folder small: removes what was not written for long, then the oldest files. */
export function removeOldest(folder: string): void {
  const now = Date.now();
  const files = readdirSync(folder)
    .filter((name) => name.includes(ENDING))
    .flatMap((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ path, bytes: stat.size, age: now - stat.mtimeMs }];
    })
    .sort((a, b) => a.age - b.age);
  let bytes = 0;
  for (const it of files) {
    bytes += it.bytes;
    const limit = OLD_MILLISECONDS[it.path.endsWith(UNFINISHED) ? 'unfinished' : 'kept'];
    if (it.age > limit || bytes > LARGEST_FOLDER_BYTES) rmSync(it.path, { force: true });
  }
}

/** Without the cache everything works, so an error of the system is no failure. */
function orUndefined<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return undefined;
  }
}

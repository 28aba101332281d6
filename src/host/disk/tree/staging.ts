import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_PATHS } from '../../../base/core/bundle-path.ts';
import { errorCode } from '../disk-error.ts';
import { parentOf } from './tree-path.ts';
import type { WantedFolder } from './wanted-folder.ts';

/**
 * New files that are written completely before any of them is moved to its path. They are below root, hence on the same
 * file system: one rename moves a file or a whole folder.
 */
export interface Staging {
  /** Stages a file; returns its name until it is moved. */
  readonly addFile: (bytes: Buffer) => string;
  /** Stages a folder with all these files; returns its name until it is moved. */
  readonly addFolder: (files: WantedFolder) => string;
}

/** The path of a staged file or folder. */
export const stagedAt = (root: string, name: string): string => `${root}/${OWN_PATHS.staging}/${name}`;

export function openStaging(root: string, onStep: (step: string) => void): Staging {
  let names = 0;
  const nextName = (): string => {
    if (names === 0) mkdirSync(join(root, OWN_PATHS.staging), { recursive: true });
    return String(names++);
  };
  const write = (path: string, bytes: Buffer): void => {
    writeNew(path, bytes);
    onStep('file staged');
  };
  return {
    addFile: (bytes) => {
      const name = nextName();
      write(stagedAt(root, name), bytes);
      return name;
    },
    addFolder: (files) => {
      const name = nextName();
      const made = new Set<string>();
      for (const [index, path] of files.paths.entries()) {
        const at = `${stagedAt(root, name)}${path.slice(files.folder.length)}`;
        const folder = parentOf(at);
        if (!made.has(folder)) mkdirSync(folder, { recursive: true });
        made.add(folder);
        write(at, files.bytesOf(index));
      }
      return name;
    },
  };
}

/** Removes files that this run or a killed one has staged but not moved. */
export const sweepStaging = (root: string): void =>
  rmSync(join(root, OWN_PATHS.staging), { recursive: true, force: true });

function writeNew(path: string, bytes: Buffer): void {
  const file = openSync(path, 'wx', NEW_FILE_MODE);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}

/** The mode of new files: readable for every user, limited by the umask. */
const NEW_FILE_MODE = 0o644;

/** Writes a file and waits until its bytes are on the disk. */
export function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', NEW_FILE_MODE);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until the names in a folder are on the disk; file systems without support do not need it. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!['EISDIR', 'EINVAL', 'EPERM', 'EACCES', 'ENOTSUP'].includes(errorCode(error))) throw error;
  }
}

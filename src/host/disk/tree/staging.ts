import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OWN_PATHS } from '../../../base/core/bundle-path.ts';
import { errorCode } from '../disk-error.ts';
import { NEW_FILE_MODE, stageFiles, writeNew } from './new-files.ts';
import { isRunning } from './process-lock.ts';
import { entryAt } from './tree-path.ts';
import type { LockFileRequest } from './tree-request.ts';

/**
 * New files that are written completely before any of them is moved to its path. They are below root, hence on the same
 * file system: one rename moves a file or a whole folder.
 */
export interface Staging {
  /** Stages a file; returns its name until it is moved. */
  readonly addFile: (bytes: Buffer) => string;
  /** Stages a folder with all these files; returns its name until it is moved. */
  readonly addFolder: (files: FolderToStage) => string;
  /** A name for what another thread stages. */
  readonly newName: () => string;
}

/** A folder whose files are staged together. */
interface FolderToStage {
  readonly folder: string;
  readonly paths: readonly string[];
  readonly bytesOf: (index: number) => Buffer;
}

/** The path of a staged file or folder. */
export const stagedAt = (root: string, name: string): string => `${root}/${OWN_PATHS.staging}/${name}`;

export function openStaging(root: string, onStep: (step: string) => void): Staging {
  let names = 0;
  const nextName = (): string => {
    if (names === 0) mkdirSync(join(root, OWN_PATHS.staging), { recursive: true });
    return String(names++);
  };
  return {
    addFile: (bytes) => {
      const name = nextName();
      writeNew(stagedAt(root, name), bytes);
      onStep('file staged');
      return name;
    },
    addFolder: (files) => {
      const name = nextName();
      const paths = files.paths.map((it) => it.slice(files.folder.length));
      stageFiles({ at: stagedAt(root, name), paths, bytesOf: files.bytesOf }, () => onStep('file staged'));
      return name;
    },
    newName: nextName,
  };
}

/** Removes files that this run or a killed one has staged but not moved. */
export const sweepStaging = (root: string): void =>
  rmSync(join(root, OWN_PATHS.staging), { recursive: true, force: true });

/** Writes a text, or the pieces of one, and waits until its bytes are on the disk. */
export function writeDurably(path: string, text: string | Iterable<string>): void {
  const file = openSync(path, 'w', NEW_FILE_MODE);
  try {
    for (const piece of typeof text === 'string' ? [text] : text) {
      const bytes = Buffer.from(piece);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until the bytes of a written file are on the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
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

/** The new lock file, written beside the old one; `commit` replaces the old one in one step. */
interface StagedLockFile {
  readonly commit: () => void;
  readonly discard: () => void;
}

/** Writes the new lock file beside the old one. The user chooses the path, so a link is followed and stays a link. */
export function stageLockFile(file: LockFileRequest): StagedLockFile {
  const target = entryAt(file.path).kind === 'link' ? realpathSync(file.path) : file.path;
  mkdirSync(dirname(target), { recursive: true });
  const staged = join(dirname(target), stagedName(basename(target), process.pid));
  writeDurably(staged, file.text);
  return {
    commit: () => {
      renameSync(staged, target);
      syncFolder(dirname(target));
    },
    discard: () => rmSync(staged, { force: true }),
  };
}

/** Removes the staged files of killed processes beside the lock file. */
export function sweepLockFile(file: LockFileRequest): void {
  const target = entryAt(file.path).kind === 'link' ? realpathSync(file.path) : file.path;
  for (const name of namesInFolder(dirname(target))) {
    const pid = Number(STAGED_LOCK_FILE.exec(name)?.[1]);
    if (name === stagedName(basename(target), pid) && (pid === process.pid || !isRunning(pid)))
      rmSync(join(dirname(target), name), { force: true });
  }
}

/** True when a run was killed, or is at work, that wrote a new lock file. */
export const hasStagedLockFile = (lockFile: string): boolean =>
  namesInFolder(dirname(entryAt(lockFile).kind === 'link' ? realpathSync(lockFile) : lockFile)).some((it) =>
    STAGED_LOCK_FILE.test(it),
  );

const STAGED_LOCK_FILE = /^\..*\.(\d+)\.weft-new$/;

const stagedName = (name: string, pid: number): string => `.${name}.${pid}.weft-new`;

function namesInFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

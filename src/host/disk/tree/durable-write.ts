import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { errorCode } from '../disk-error.ts';

/** Mode of new files: readable for everybody, limited by the umask. */
export const NEW_FILE_MODE = 0o644;

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

/** Waits until the names in a folder are on the disk. File systems that do not support this do not need it. */
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

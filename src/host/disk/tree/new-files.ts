import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';

/** Files below a folder, none of which is there yet. */
interface NewFiles {
  /** The absolute path of the folder. */
  readonly at: string;
  /** The paths of the files below it; they begin with `/`. */
  readonly paths: readonly string[];
  readonly bytesOf: (index: number) => Uint8Array;
}

/** Writes the files, and the folders above them. */
export function stageFiles({ at, paths, bytesOf }: NewFiles, onFile: () => void): void {
  const made = new Set<string>();
  for (const [index, path] of paths.entries()) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (!made.has(folder)) mkdirSync(at + folder, { recursive: true });
    made.add(folder);
    writeNew(at + path, bytesOf(index));
    onFile();
  }
}

/** Writes a file that is not there yet. */
export function writeNew(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', NEW_FILE_MODE);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}

/** The mode of new files: readable for every user, limited by the umask. */
export const NEW_FILE_MODE = 0o644;

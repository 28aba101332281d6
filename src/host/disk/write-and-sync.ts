import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that must not be there yet, and waits until it is on the disk. In one go: a signal that came while the file
 * is being made would be answered before it is there, and nothing would remove it.
 */
export async function writeAndSync(path: string, text: string): Promise<void> {
  const file = openSync(path, 'wx', 0o666);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

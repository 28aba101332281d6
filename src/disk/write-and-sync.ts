import { open } from 'node:fs/promises';

/** Writes a file that must not be there yet, and waits until it is on the disk. */
export async function writeAndSync(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o666);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

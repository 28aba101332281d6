import type { PreparedFile } from '../disk/write-file-whole.ts';

interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Writes all files or none: each is complete on disk before the first gets its name. */
export async function writeTogether(
  prepare: (path: string, text: string) => Promise<PreparedFile>,
  files: readonly NewFile[],
): Promise<void> {
  const prepared: PreparedFile[] = [];
  try {
    for (const { path, text } of files) prepared.push(await prepare(path, text));
  } catch (error) {
    for (const it of prepared) await it.discard();
    throw error;
  }
  for (const it of prepared) await it.commit();
}

import type { NewFile } from '../disk/prepare-new-file.ts';

interface WantedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes all files or none: each is complete on disk before the first gets its name, in the order given. Returns the path of
 * a file that has come to be there in the meantime; it stays, and nothing is written.
 */
export async function writeTogether(
  prepare: (path: string, text: string) => Promise<NewFile>,
  files: readonly WantedFile[],
): Promise<string | undefined> {
  const prepared: { readonly path: string; readonly file: NewFile }[] = [];
  const discard = async (): Promise<void> => {
    for (const { file } of prepared.reverse()) await file.discard();
  };
  try {
    for (const { path, text } of files) prepared.push({ path, file: await prepare(path, text) });
    for (const { path, file } of prepared) {
      if (await file.commit()) continue;
      await discard();
      return path;
    }
    return undefined;
  } catch (error) {
    await discard();
    throw error;
  }
}

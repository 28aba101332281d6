import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { asDiskError } from './disk-error.ts';
import { placeFault } from './input-place.ts';
import { makeFolder, type PreparedFile, prepareFile } from './write-files.ts';

/** A file that weft writes into a folder of the user, and recognizes later. */
interface OwnFile {
  readonly name: string;
  /** What every such file begins with. */
  readonly start: string;
  /** `null` to remove an earlier one. */
  readonly text: string | null;
}

interface BlockedPlace {
  /** As the user names it. */
  readonly path: string;
  /** To follow "PATH:". */
  readonly reason: string;
}

/**
 * Writes all files or none: each is complete on disk before the first replaces an earlier one. A file that is not an earlier one, or
 * to which a link leads from outside, stays, and is the result.
 */
export async function writeOwnFiles(
  cwd: string,
  folder: string,
  files: readonly OwnFile[],
): Promise<BlockedPlace | undefined> {
  for (const { name, start } of files) {
    const reason = await placeFault(resolve(cwd, folder, name), cwd, startingWith(start));
    if (reason !== undefined) return { path: inFolder(folder, name), reason };
  }
  const wanted = files.flatMap(({ name, text }) => (text === null ? [] : [{ name, text }]));
  if (wanted.length > 0) await makeFolder(resolve(cwd, folder));
  const prepared: PreparedFile[] = [];
  try {
    for (const { name, text } of wanted) prepared.push(await prepareFile(resolve(cwd, folder, name), text));
  } catch (error) {
    for (const it of prepared) await it.discard();
    throw error;
  }
  for (const it of prepared) await it.commit();
  for (const { name, text } of files) if (text === null) await removeFile(resolve(cwd, folder, name));
  return undefined;
}

/** With the folder as the user typed it: what looks like a URL with a password stays one, so that messages mask it. */
export const inFolder = (folder: string, name: string): string => `${folder.replace(/\/$/, '')}/${name}`;

/** Or empty: then there is nothing to lose. */
const startingWith = (start: string): RegExp =>
  new RegExp(`^(?:\\s*$|${start.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`);

async function removeFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw asDiskError(error, path);
  }
}

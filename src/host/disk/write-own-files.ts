import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { asDiskError } from './disk-error.ts';
import { placeFault } from './input-place.ts';
import { makeFolder, type PreparedFile, prepareFile } from './write-files.ts';

/** A file that weft writes into a folder of the user and recognizes later by its start. */
interface OwnFile {
  readonly name: string;
  /** The text with which every such file begins. */
  readonly start: string;
  /** The new text; `null` removes an earlier file. */
  readonly text: string | null;
}

interface BlockedPlace {
  /** The path as the user typed it. */
  readonly path: string;
  /** The reason, worded to follow "PATH:". */
  readonly reason: string;
}

/**
 * Writes all files or none: each is complete on disk before the first one replaces an earlier one. If a path is
 * occupied by another file, or a link from outside leads there, returns that path; it is kept.
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
  for (const { name, text } of files) if (text === null) await removeOwnFile(resolve(cwd, folder, name));
  return undefined;
}

/**
 * Joins the typed folder and a name without normalizing: a text that looks like a URL with a password must stay one, so
 * that messages mask it.
 */
export const inFolder = (folder: string, name: string): string => `${folder.replace(/\/$/, '')}/${name}`;

/** Matches a file with this start, or an empty file, which has nothing to lose. */
const startingWith = (start: string): RegExp =>
  new RegExp(`^(?:\\s*$|${start.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`);

async function removeOwnFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw asDiskError(error, path);
  }
}

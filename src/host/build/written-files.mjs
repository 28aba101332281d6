// Files that builds write. One that has its text already is left alone: another process may be running it.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export async function writeIfChanged(file, text) {
  const old = await readFile(file, 'utf8').catch(() => undefined);
  if (old === text) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Writes the files of a folder, each with its whole path, and removes all others. */
export async function writeFolder(folder, files) {
  await Promise.all(files.map(({ path, text }) => writeIfChanged(path, text)));
  const written = new Set(files.map((it) => it.path));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const others = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath ?? it.path, it.name));
  await Promise.all(others.filter((it) => !written.has(it)).map((it) => rm(it, { force: true })));
}

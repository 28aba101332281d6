import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * The folder with recordings of real programs; the README of each folder in it says how they were made. Found from the
 * folder of the repository, in which all of this runs, because `npm run frozen` is one bundled file.
 */
const VECTORS = resolve('test/vectors');

/** A recorded text, `live/overlap/1.2/hub.json`, which may be compressed. */
export function readVector(path: string): string {
  const file = join(VECTORS, path);
  return existsSync(`${file}.gz`)
    ? gunzipSync(readFileSync(`${file}.gz`)).toString('utf8')
    : readFileSync(file, 'utf8');
}

export const hasVector = (path: string): boolean => [path, `${path}.gz`].some((it) => existsSync(join(VECTORS, it)));

/** The names of the recorded texts in a folder, in order; none without the folder. */
export const vectorFiles = (folder: string): readonly string[] =>
  entriesOf(folder)
    .filter((it) => it.isFile())
    .map((it) => it.name.replace(/\.gz$/, ''))
    .sort();

/** The names of the folders in a folder, in order. */
export const vectorFolders = (folder: string): readonly string[] =>
  entriesOf(folder)
    .filter((it) => it.isDirectory())
    .map((it) => it.name)
    .sort();

/** The values of a file with one JSON text a line. */
export const readVectorLines = (path: string): readonly unknown[] =>
  readVector(path)
    .split('\n')
    .filter((it) => it !== '')
    .map((it) => JSON.parse(it) as unknown);

function entriesOf(folder: string) {
  const path = join(VECTORS, folder);
  return existsSync(path) ? readdirSync(path, { withFileTypes: true }) : [];
}

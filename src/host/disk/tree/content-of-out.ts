import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_FOLDER, printBundlePath } from '../../../base/core/bundle-path.ts';
import { byCodeUnit } from '../../../base/core/collections.ts';
import { asDiskError, errorCode } from '../disk-error.ts';
import { startOfFile } from './known-files.ts';

/** The kind of content in a folder to which bundles would be written. */
export type OutContent =
  /** No entries, or only hidden files and a README. */
  | { readonly kind: 'empty' }
  /** Bundles. `fleets` are the names in its `addresses.json`: one, several after a merge, none if it cannot be read. */
  | { readonly kind: 'bundles'; readonly fleets: readonly string[] }
  /** Folders of several fleets, each with bundles. */
  | { readonly kind: 'several'; readonly fleets: readonly string[] }
  /** Other files. `names` are the names of its entries, sorted. */
  | { readonly kind: 'others'; readonly names: readonly string[]; readonly isRepository: boolean };

/** Classifies the content of the output folder without reading subfolders. A file at its path is reported elsewhere. */
export function contentOfOut(root: string): OutContent {
  try {
    return contentOf(root, entryNames(root));
  } catch (error) {
    throw asDiskError(error, root);
  }
}

function contentOf(root: string, names: readonly string[]): OutContent {
  const fleets = fleetsIn(join(root, ADDRESSES));
  if (names.includes(OWN_FOLDER) || fleets.length > 0) return { kind: 'bundles', fleets };
  const isRepository = names.includes('.git');
  const others = names.filter((it) => !/^(\.|readme)/i.test(it));
  if (others.length === 0 && !isRepository) return { kind: 'empty' };
  const ofFleets = others.filter((it) => existsSync(join(root, it, OWN_FOLDER))).sort(byCodeUnit);
  if (ofFleets.length === others.length && !isRepository) return { kind: 'several', fleets: ofFleets };
  return { kind: 'others', names: [...others].sort(byCodeUnit), isRepository };
}

const ADDRESSES = printBundlePath({ part: 'addresses' });

/** The names of fleets at the start of an `addresses.json`; several when it has merge conflict marks. */
function fleetsIn(path: string): readonly string[] {
  const found = [...startOfAddresses(path).matchAll(/^ {2}"topology": "([a-z0-9-]+)",\r?$/gm)];
  return [...new Set(found.map((it) => it[1] ?? ''))];
}

function entryNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return [];
    throw error;
  }
}

function startOfAddresses(path: string): string {
  try {
    return startOfFile(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENXIO', 'EAGAIN'].includes(errorCode(error))) return '';
    throw error;
  }
}

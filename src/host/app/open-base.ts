import { join, relative, resolve } from 'node:path';
import { isBundleFile } from '../../base/core/bundle-path.ts';
import { type FolderFiles, inFolders } from '../../base/core/folder-files.ts';
import { DiskError } from '../disk/disk-error.ts';
import { GitError } from '../disk/git-error.ts';
import { isInOwnFolder } from '../disk/tree/tree-path.ts';
import { OperationRefused } from './operation-refused.ts';
import type { FileReader, TextReader } from './ports.ts';
import { requireReadable } from './read-sources.ts';

/** What a plan is compared with. */
export type Base =
  | { readonly kind: 'out' }
  | { readonly kind: 'ref'; readonly ref: string }
  | { readonly kind: 'folder'; readonly folder: string };

/** Reads texts of the base, by path relative to the working folder. */
export interface BaseReader extends TextReader {
  /** @param like files of which most may be the same: a commit does not read these */
  readonly filesBelow: (path: string, like: FolderFiles) => Promise<FolderFiles>;
}

export async function openBase(files: FileReader, base: Base): Promise<BaseReader> {
  switch (base.kind) {
    case 'out':
      return folderReader(files, (path) => path);
    case 'folder':
      return folderReader(files, (path) => pathInBase(files, base.folder, path));
    case 'ref':
      return files.openCommit(base.ref);
  }
}

/** The last commit; `undefined` without a repository or a commit. */
export async function openLastCommit(files: FileReader): Promise<BaseReader | undefined> {
  try {
    return await files.openCommit('HEAD');
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** The path of a file in a folder that has the same paths as the working folder. */
export const pathInBase = (files: FileReader, folder: string, path: string): string =>
  join(folder, pathFromHere(files, path));

function folderReader(files: FileReader, there: (path: string) => string): BaseReader {
  return {
    // The message must name the path in that folder.
    readText: async (path) => requireReadable(there(path), await files.readText(there(path))),
    readTexts: (paths) => files.readTexts(paths.map(there)),
    namesIn: (path) => files.namesIn(there(path)),
    linkBelow: (folder, path) => files.linkBelow(there(folder), there(path)),
    filesBelow: async (path) => {
      const read = await files.readFolder(there(path), (it) => isBundleFile(it) || isInOwnFolder(it));
      if (read.kind === 'not-a-folder') throw new DiskError('ENOTDIR', resolve(files.folder, there(path)));
      return read.kind === 'read' ? read.files : inFolders(new Map());
    },
  };
}

function pathFromHere({ folder }: FileReader, path: string): string {
  const below = relative(folder, resolve(folder, path));
  if (!below.startsWith('..')) return below;
  throw new OperationRefused({ kind: 'path-outside-folder', path, folder });
}

import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { OWN_FOLDER, OWN_PATHS, parseBundlePath } from '../../../base/core/bundle-path.ts';
import { asFolderFiles, type FolderFiles, type Version } from '../../../base/core/folder-files.ts';
import type { BundleRecord } from '../../../base/core/print-records.ts';
import { errorCode } from '../disk-error.ts';
import { OLD_RECORD, recordsIn } from './bundle-record.ts';
import {
  type EntryKind,
  entryAt,
  foldersOver,
  isInOwnFolder,
  kindOf,
  pathFault,
  type ReadEntries,
  topOf,
} from './tree-path.ts';

/** The requested content of `out/`. */
export interface TreeRequest {
  /** The folder `out/`; it need not exist, and it may itself be a symbolic link to a folder. */
  readonly root: string;
  /** Path below root -> text, complete for the scope. */
  readonly files: ReadonlyMap<string, string>;
  /**
   * The top-level names that `files` covers; `null` for the whole tree. With `--cluster rome` it is `['rome']`: only
   * rome's folder and rome's record are changed.
   */
  readonly scope: readonly string[] | null;
  /** The topology's lock file. If its bytes differ, the same run writes it, before the tree. */
  readonly lockFile: LockFileRequest | null;
  /** Called after each folder that was compared. */
  readonly onFolder?: OnShare;
  /** Called when a signal ends the process while it writes, with the state of the tree then. */
  readonly onStop?: (tree: StoppedTree) => void;
}

/** The finished share of the work. */
export type OnShare = (done: number, total: number) => void;

export type StoppedTree = 'unchanged' | 'partly-new' | 'written';

export interface LockFileRequest {
  readonly path: string;
  readonly text: string;
  /**
   * The text from which the decisions were made, `null` if no file existed: decisions of another run must not be lost.
   */
  readonly before?: string | null;
}

/** A reason why a tree cannot be written. If there is one, nothing has changed on disk. */
export interface TreeProblem {
  readonly kind:
    | 'bad-path' //       the path would leave out/, or is in weft's own folder
    | 'foreign-file' //   weft did not write the file there, and its bytes differ
    | 'symbolic-link' //  never followed, never replaced
    | 'directory' //      a folder with foreign files at the path of a file
    | 'not-a-file' //     a file at the path of a folder, or a pipe, socket or device at the path of a file
    | 'lock-changed' //   another run has changed the lock since it was read
    | 'lock-in-the-way' // the lock would be at the path of a bundle file, or in weft's own folder
    | 'broken-record'; // a record or the journal cannot be read
  /** The path as the user would type it, including the root; only the bad path itself for `bad-path`. */
  readonly path: string;
  /** The message: small first letter, no full stop, no advice. */
  readonly message: string;
  /** The remedy. */
  readonly hint: string;
}

const badPath = (path: string, fault: string): TreeProblem => ({
  kind: 'bad-path',
  path,
  message: `${JSON.stringify(path)} ${fault}`,
  hint: 'rename the cluster that this path is made from',
});

export const foreignFile = (root: string, path: string): TreeProblem => ({
  kind: 'foreign-file',
  path: join(root, path),
  message: 'this file exists, but weft did not write it',
  hint: 'move or delete it, then compile again',
});

/** The problem of an entry that weft cannot replace, at the path of a file or a folder. */
export function blockedPath(root: string, path: string, by: EntryKind): TreeProblem {
  if (by === 'link') {
    return {
      kind: 'symbolic-link',
      path: join(root, path),
      message: 'this is a symbolic link, and weft neither follows nor replaces one',
      hint: 'delete the link, then compile again; the output folder itself may be a link',
    };
  }
  if (by === 'folder') {
    return {
      kind: 'directory',
      path: join(root, path),
      message: 'a file belongs here, but this is a folder that also contains files weft did not write',
      hint: 'move or delete the folder, then compile again',
    };
  }
  return {
    kind: 'not-a-file',
    path: join(root, path),
    message: by === 'file' ? 'a folder belongs here, but this is a file' : 'this is neither a file nor a folder',
    hint: 'move or delete it, then compile again',
  };
}

const danglingRoot = (root: string): TreeProblem => ({
  kind: 'symbolic-link',
  path: root,
  message: 'the output folder is a broken symbolic link',
  hint: 'create the folder that it points to, or delete the link',
});

export const lockChangedMeanwhile = (path: string): TreeProblem => ({
  kind: 'lock-changed',
  path,
  message: 'the lock has changed since it was read',
  hint: 'run "weft compile" again, which keeps the decisions that another run has added',
});

export const lockFileIsFolder = (path: string): TreeProblem => ({
  kind: 'directory',
  path,
  message: 'the lock file belongs here, but this is a folder',
  hint: 'move or delete the folder, then compile again',
});

export const danglingLockFile = (path: string): TreeProblem => ({
  kind: 'symbolic-link',
  path,
  message: 'the lock file is a broken symbolic link',
  hint: 'create the file that it points to, or delete the link',
});

const lockFileAtBundlePath = (path: string): TreeProblem => ({
  kind: 'lock-in-the-way',
  path,
  message: 'the lock file cannot be here, because this path belongs to the bundles',
  hint: 'choose another path for the lock file',
});

const lockFileInOwnFolder = (path: string): TreeProblem => ({
  kind: 'lock-in-the-way',
  path,
  message: `the lock file cannot be in "${OWN_FOLDER}", which is reserved for weft`,
  hint: 'choose another path for the lock file',
});

const brokenRecord = (root: string, path: string, message: string): TreeProblem => ({
  kind: 'broken-record',
  path: join(root, path),
  message: `this record of the files that weft wrote ${message}`,
  hint:
    'delete it and compile again: weft then adopts files that equal the generated ones; delete by hand those that differ ' +
    'and those that are no longer generated',
});

/** Thrown when a record or the journal cannot be read, so it is unknown which files weft wrote. */
export class BrokenRecord extends Error {
  override readonly name = 'BrokenRecord';
  readonly problem: TreeProblem;

  constructor(root: string, path: string, message: string) {
    super(`${path} ${message}`);
    this.problem = brokenRecord(root, path, message);
  }
}

/** The problems that can be found before the process lock is taken and before any file is read or created. */
export const earlyProblems = (request: TreeRequest): readonly TreeProblem[] => [
  ...pathProblems(request.scope ?? []),
  ...rootProblems(request),
  ...lockPlaceProblems(request),
];

/** Problems of paths that are not allowed below root. */
export const pathProblems = (paths: Iterable<string>): readonly TreeProblem[] =>
  [...paths].flatMap((path) => {
    const fault = pathFault(path);
    return fault === undefined ? [] : [badPath(path, fault)];
  });

/** Problems that prevent locking and reading: root and weft's own folder must be folders. */
function rootProblems({ root, scope }: TreeRequest): readonly TreeProblem[] {
  const { kind } = entryAt(root);
  if (kind === 'missing') return [];
  if (kind === 'link' && statSync(root, { throwIfNoEntry: false }) === undefined) return [danglingRoot(root)];
  if (!isFolderPath(root)) return [blockedPath(root, '', kind === 'link' ? 'file' : kind)];
  const own = entryAt(join(root, OWN_FOLDER)).kind;
  if (own === 'missing') return [];
  return own === 'folder' ? ownFolderProblems(root, scope) : [blockedPath(root, OWN_FOLDER, own)];
}

function ownFolderProblems(root: string, scope: TreeRequest['scope']): readonly TreeProblem[] {
  const entries = new Map(
    readdirSync(join(root, OWN_FOLDER), { withFileTypes: true }).map((it) => [`${OWN_FOLDER}/${it.name}`, kindOf(it)]),
  );
  // When the old record exists, the records of all clusters are read.
  const records = recordsIn([...entries.keys()], entries.has(OLD_RECORD) ? null : scope);
  return [...Object.values(OWN_PATHS), OLD_RECORD, ...records].flatMap((path) => {
    const kind = entries.get(path) ?? 'missing';
    const fits = kind === 'missing' || kind === (path === OWN_PATHS.staging ? 'folder' : 'file');
    return fits ? [] : [blockedPath(root, path, kind)];
  });
}

/** True when a path is a folder or a link to one. */
export function isFolderPath(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return false;
    throw error;
  }
}

/**
 * Problems of the lock file's path. When the lock and a bundle file have the same path, the bundle file would replace
 * the lock, and all its decisions would be lost. Any other path below root is allowed.
 */
function lockPlaceProblems({ root, files, lockFile }: TreeRequest): readonly TreeProblem[] {
  if (lockFile === null) return [];
  const path = pathBelowRoot(root, lockFile.path);
  if (path === undefined) return [];
  if (isInOwnFolder(path)) return [lockFileInOwnFolder(lockFile.path)];
  return isTaken(path, asFolderFiles(files)) ? [lockFileAtBundlePath(lockFile.path)] : [];
}

/** True when a path is that of a bundle file, of a folder above one, or below one. */
function isTaken(path: string, files: FolderFiles): boolean {
  // A request for some clusters does not contain the files of the others, so the layout is checked too.
  if (path === '' || parseBundlePath(path) !== undefined) return true;
  const folders = foldersOver(path);
  const near = [...files.inFolder('').keys(), ...files.inFolder(topOf(path)).keys()];
  return near.some((it) => it === path || it.startsWith(`${path}/`) || folders.includes(it));
}

/** The path of a file below root after all links are followed, empty for root itself; `undefined` outside root. */
function pathBelowRoot(root: string, path: string): string | undefined {
  const below = relative(resolvedPath(resolve(root)), resolvedPath(resolve(path)));
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return undefined;
  return below.split(sep).join('/');
}

/** The path after the links in its existing, readable part are resolved; other steps report what cannot be read. */
function resolvedPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === '' || path === dirname(path)) throw error;
    return join(resolvedPath(dirname(path)), basename(path));
  }
}

/** Returns the version of a folder. The first one takes as long as printing many folders, so it is asked only if it is needed. */
type AskVersion = () => Version | undefined;

/** A cache for a process that writes the same tree repeatedly. */
export interface TreeMemory {
  /**
   * True when the file at a path has the content with that hash. `compare` reads the file; it is called
   * only if the file may have changed since the last call.
   */
  readonly isEqual: (path: string, hash: string, compare: () => boolean) => boolean;
  /**
   * The entries of a folder on disk. `read` lists the folder; it is called only if entries may have been added, removed
   * or renamed since.
   */
  readonly entriesOf: ReadEntries;
  /**
   * The wanted content of a folder: that of the last call if its version is known and the same, otherwise the result of `read`.
   */
  readonly contentOf: (path: string, versionOf: AskVersion, read: () => FolderContent) => FolderContent;
  /**
   * The content of a cluster's folder with this version, if every file, its record and all folders are as they were when a run
   * found nothing to do there.
   */
  readonly settled?: (path: string, versionOf: AskVersion) => FolderContent | undefined;
  /** Called for what weft did not write at the path of a shared file that it may write for other topologies. */
  readonly foreignAt?: (path: string) => void;
}

/** A description of the wanted files of a folder, without their bytes. */
export interface FolderContent {
  readonly paths: readonly string[];
  /** The SHA-256 of each file, in hex. */
  readonly hashes: readonly string[];
  /** The rows of these files in the record, the text of the record, and its hash. */
  readonly rows: BundleRecord;
  readonly record: string;
  readonly recordHash: string;
  /** Problems of paths that are not allowed. */
  readonly badPaths: readonly TreeProblem[];
}

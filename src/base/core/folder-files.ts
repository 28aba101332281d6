type Files = ReadonlyMap<string, string>;

/** Files by path, with their texts. A fleet has hundreds of megabytes of them, so only some folders are in memory at a time. */
export interface FolderFiles extends Files {
  /** The first parts of all paths, in order; empty for files that are in no folder. */
  readonly folders: readonly string[];
  /** The files of one folder, by their whole path; none for a folder that is not there. */
  readonly inFolder: (folder: string) => Files;
  /** The same only for a folder that has the same files, in one process; `undefined` where nobody knows. */
  readonly versionOf: (folder: string) => object | undefined;
}

/** The folder that `inFolder` knows a path by. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.indexOf('/')));

/** How much text of the folders that were asked for last is kept, in characters; the last one is kept in any case. */
const KEPT_CHARACTERS = 4 * 1024 * 1024;

/**
 * Files that are made folder by folder, when somebody asks for them. Going through all of them makes every folder once, and
 * paths are remembered; a text is made again when its folder was asked for too long ago.
 *
 * @param makers By folder, in order: all its files, always the same ones.
 */
export function folderFiles(
  makers: ReadonlyMap<string, () => Files>,
  versionOf: FolderFiles['versionOf'] = () => undefined,
): FolderFiles {
  const made = new Map<string, MadeFolder>();
  const kept = new Map<string, Files>();
  let keptCharacters = 0;
  const inFolder = (folder: string): Files => {
    const known = kept.get(folder);
    if (known !== undefined) return known;
    const files = makers.get(folder)?.() ?? NONE;
    if (!made.has(folder)) made.set(folder, madeFolder(files));
    kept.set(folder, files);
    keptCharacters += charactersIn(folder);
    for (const oldest of kept.keys()) {
      if (keptCharacters <= KEPT_CHARACTERS || oldest === folder) break;
      kept.delete(oldest);
      keptCharacters -= charactersIn(oldest);
    }
    return files;
  };
  const charactersIn = (folder: string): number => made.get(folder)?.characters ?? 0;
  const pathsIn = (folder: string): ReadonlySet<string> => made.get(folder)?.paths ?? new Set(inFolder(folder).keys());
  const folders = [...makers.keys()];
  function* entries(): MapIterator<[string, string]> {
    for (const it of folders) yield* inFolder(it);
  }
  function* keys(): MapIterator<string> {
    for (const it of folders) yield* pathsIn(it);
  }
  function* values(): MapIterator<string> {
    for (const [, text] of entries()) yield text;
  }
  const all: FolderFiles = {
    folders,
    inFolder,
    versionOf,
    entries,
    keys,
    values,
    [Symbol.iterator]: entries,
    get: (path) => inFolder(folderOf(path)).get(path),
    has: (path) => makers.has(folderOf(path)) && pathsIn(folderOf(path)).has(path),
    get size() {
      return folders.reduce((sum, it) => sum + pathsIn(it).size, 0);
    },
    forEach: (act, self) => {
      for (const [path, text] of entries()) act.call(self, text, path, all);
    },
  };
  return all;
}

const NONE: Files = new Map();

/** What is remembered of a folder that was made once. */
interface MadeFolder {
  readonly paths: ReadonlySet<string>;
  /** Of all texts together. */
  readonly characters: number;
}

function madeFolder(files: Files): MadeFolder {
  let characters = 0;
  for (const text of files.values()) characters += text.length;
  return { paths: new Set(files.keys()), characters };
}

/** Files that are in memory anyway, by folder. */
export function inFolders(files: Files): FolderFiles {
  const folders = new Map<string, Map<string, string>>();
  for (const [path, text] of files) {
    const folder = folderOf(path);
    const known = folders.get(folder);
    if (known === undefined) folders.set(folder, new Map([[path, text]]));
    else known.set(path, text);
  }
  return folderFiles(new Map([...folders].map(([folder, it]) => [folder, () => it])));
}

/** Any files, by folder: as they are, or those that are in memory anyway. */
export const asFolderFiles = (files: Files): FolderFiles => (isByFolder(files) ? files : inFolders(files));

const isByFolder = (files: Files): files is FolderFiles => 'inFolder' in files;

/** What a tree has at a path: a regular file, with or without the permission to run it, or something that is none. */
export type TreeFileKind = 'file' | 'executable' | 'link' | 'submodule' | 'other';

export interface TreeFile {
  readonly kind: TreeFileKind;
  /** The name that git gives to the bytes (for a link, to its target): equal for equal bytes. */
  readonly id: string;
}

/** Every file below a folder, of a commit or of the disk, by its path below that folder. */
export interface FileTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  /** The texts of some of them; `null` for one that is not UTF-8, is too large to show, or has no text. */
  readonly textsOf: (paths: Iterable<string>) => Promise<ReadonlyMap<string, string | null>>;
}

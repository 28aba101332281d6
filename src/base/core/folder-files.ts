import { byCodeUnit } from './collections.ts';

type Files = ReadonlyMap<string, string>;

/** Files with their texts by path. A fleet has hundreds of megabytes, so only some folders are in memory at a time. */
export interface FolderFiles extends Files {
  /** The sorted first segments of all paths; the empty text for files directly below the root. */
  readonly folders: readonly string[];
  /** The files of one folder by their whole path; empty for a missing folder. */
  readonly inFolder: (folder: string) => Files;
  /** Identifies the content of a folder: it is the same only if the files are the same. `undefined` when that is unknown. */
  readonly versionOf: (folder: string) => Version | undefined;
  /** Only for files that can be read without the others of their folder. */
  readonly single?: SingleFiles | undefined;
}

export interface SingleFiles {
  /** The paths of the files in a folder, in order of code units; empty for a missing folder. */
  readonly pathsIn: (folder: string) => readonly string[];
  readonly read: (path: string) => string | undefined;
}

/** An object within one process, a text also in later ones. */
export type Version = object | string;

/** The folder of a path, as `inFolder` expects it. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.indexOf('/')));

/**
 * The number of characters of recently requested folders that are kept; the last folder is always kept. More would outlive two collections
 * of young objects in a walk over a fleet, so that every text would stay until a full one.
 */
const KEPT_CHARACTERS = 256 * 1024;

/**
 * Files that are made folder by folder on demand. Iterating makes every folder once; paths are remembered. A text is
 * made again when its folder is no longer kept.
 *
 * @param makers folder -> function that returns all its files, always the same ones; in order.
 */
export function folderFiles(
  makers: ReadonlyMap<string, () => Files>,
  { versionOf = () => undefined, single }: Partial<Pick<FolderFiles, 'versionOf' | 'single'>> = {},
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
    single,
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

/** The facts that are remembered about a folder after it was made. */
interface MadeFolder {
  readonly paths: ReadonlySet<string>;
  /** The number of characters of all texts together. */
  readonly characters: number;
}

function madeFolder(files: Files): MadeFolder {
  let characters = 0;
  for (const text of files.values()) characters += text.length;
  return { paths: new Set(files.keys()), characters };
}

/** Groups files by folder that are in memory already. */
export function inFolders(files: Files): FolderFiles {
  const folders = new Map<string, Map<string, string>>();
  for (const [path, text] of files) {
    const folder = folderOf(path);
    const known = folders.get(folder);
    if (known === undefined) folders.set(folder, new Map([[path, text]]));
    else known.set(path, text);
  }
  const pathsIn = (folder: string): readonly string[] => [...(folders.get(folder)?.keys() ?? [])].sort(byCodeUnit);
  return folderFiles(new Map([...folders].map(([folder, it]) => [folder, () => it])), {
    single: { pathsIn, read: (path) => files.get(path) },
  });
}

/** Any files grouped by folder; unchanged if they already are. */
export const asFolderFiles = (files: Files): FolderFiles => (isByFolder(files) ? files : inFolders(files));

const isByFolder = (files: Files): files is FolderFiles => 'inFolder' in files;

/** The kind of an entry in a tree: a regular file, with or without the executable bit, or another kind of entry. */
export type TreeFileKind = 'file' | 'executable' | 'link' | 'submodule' | 'other';

export interface TreeFile {
  readonly kind: TreeFileKind;
  /** The object name that git gives to the bytes (for a link, to its target): equal for equal bytes. */
  readonly id: string;
}

/** All files below a folder of a commit or of the disk, by their path below that folder. */
export interface FileTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  /** The texts of some files; `null` for a file that is not UTF-8, is too large to show, or has no text. */
  readonly textsOf: (paths: Iterable<string>) => Promise<ReadonlyMap<string, string | null>>;
}

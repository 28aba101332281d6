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

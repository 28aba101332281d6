import type { BundleRecord } from './bundle-record.ts';
import type { ReadEntries } from './disk-view.ts';
import type { TreeProblem } from './tree-request.ts';

/** A cache for a process that writes the same tree repeatedly. */
export interface TreeMemory {
  /**
   * True when the file at a path has that content, or content with that hash. `compare` reads the file; it is called
   * only if the file may have changed since the last call.
   */
  readonly isEqual: (path: string, content: string, compare: () => boolean) => boolean;
  /**
   * The entries of a folder on disk. `read` lists the folder; it is called only if entries may have been added, removed
   * or renamed since.
   */
  readonly entriesOf: ReadEntries;
  /**
   * The wanted content of a folder: that of the last call if its version is the same, otherwise the result of `read`.
   */
  readonly contentOf: (path: string, version: object, read: () => FolderContent) => FolderContent;
}

/** A description of the wanted files of a folder, without their bytes. */
export interface FolderContent {
  readonly paths: readonly string[];
  /** The SHA-256 of each file, in hex. */
  readonly hashes: readonly string[];
  /** The rows of these files in the record, and the text of the record. */
  readonly rows: BundleRecord;
  readonly record: string;
  /** Problems of paths that are not allowed. */
  readonly badPaths: readonly TreeProblem[];
}

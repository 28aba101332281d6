import type { FileTree } from '../../base/core/folder-files.ts';
import type { ObjectFormat } from '../disk/git-objects.ts';
import type { GitCommit } from '../disk/open-commit.ts';
import type { FolderResult } from '../disk/read-folder.ts';
import type { ReadResult } from '../disk/read-text-file.ts';
import type { TreeDifference } from '../disk/tree/compare-tree.ts';
import type { OutContent } from '../disk/tree/content-of-out.ts';
import type { Inspection, RefusedTree } from '../disk/tree/inspect-tree.ts';
import type { TreeRequest, TreeResult, WriteOptions } from '../disk/tree/write-tree.ts';

/** The environment of use cases. Paths are as the user types them, relative to the working folder. */
export interface Ports {
  readonly files: FileReader;
  readonly tree: OutputTree;
  readonly progress: (step: ProgressStep) => void;
}

/** What a topology and the files around it are read with. */
export interface TextReader {
  readonly readText: (path: string) => Promise<ReadResult>;
  /** Several files, which together may be as large as one. */
  readonly readTexts: (paths: readonly string[]) => Promise<readonly ReadResult[]>;
  /** Files in a folder by name, in order of code units, without those that begin with a dot; `undefined` if it is no folder. */
  readonly namesIn: (folder: string) => Promise<readonly string[] | undefined>;
  /** A symbolic link that a path below a folder is, or leads through; none where links are no files, as in a commit. */
  readonly linkBelow: (folder: string, path: string) => Promise<string | undefined>;
}

export interface FileReader extends TextReader {
  /** The working folder, as an absolute path. */
  readonly folder: string;
  /** All files below a folder, or those that are wanted, with their texts. */
  readonly readFolder: (folder: string, isWanted?: (path: string) => boolean) => Promise<FolderResult>;
  /** A path relative to the root of the git repository that it lies in, empty for the root; `undefined` outside of any. */
  readonly folderInRepository: (path: string) => string | undefined;
  /** Everything below a folder on disk, with its kind, without what git ignores there. */
  readonly treeBelow: (folder: string, format: ObjectFormat) => Promise<FileTree>;
  /** A commit of the git repository around that folder. */
  readonly openCommit: (ref: string) => Promise<GitCommit>;
}

/** The bundles on disk. Paths of problems are as the user types them, too. */
export interface OutputTree {
  /** What is in a folder for bundles. */
  readonly contentOf: (root: string) => OutContent;
  /** `mayApply` is asked before the first change, with what would change; if it says no, the result is `not-allowed`. */
  readonly write: (request: TreeRequest, mayApply?: WriteOptions['mayApply']) => Promise<TreeResult>;
  readonly compare: (request: TreeRequest) => Promise<TreeDifference>;
  readonly inspect: (request: TreeRequest) => Promise<Inspection | RefusedTree>;
  /** Returns whether a file below a root still has the text that weft wrote there. */
  readonly writtenByWeft: (root: string) => (path: string, text: string) => boolean;
}

/** The step that a use case has started, for a front end that shows progress. */
export type ProgressStep =
  | { readonly kind: 'compiling' }
  | { readonly kind: 'comparing'; readonly out: string }
  | { readonly kind: 'writing'; readonly out: string };

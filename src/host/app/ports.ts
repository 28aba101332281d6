import type { FileTree } from '../../base/core/folder-files.ts';
import type { ObjectFormat } from '../disk/git-objects.ts';
import type { GitRule } from '../disk/git-rules.ts';
import type { GitCommit } from '../disk/open-commit.ts';
import type { FolderListing, FolderResult } from '../disk/read-folder.ts';
import type { ReadResult } from '../disk/read-text-file.ts';
import type { Inspection, RefusedTree, TreeDifference } from '../disk/tree/inspect-tree.ts';
import type { OutContent } from '../disk/tree/known-files.ts';
import type { StoppedTree } from '../disk/tree/tree-request.ts';
import type { TreeRequest, TreeResult, WriteOptions } from '../disk/tree/write-tree.ts';
import type { ListRequest, ListResult } from '../kubectl/list-objects.ts';

/** The default topology: in the folder of the fleet itself, or in its folder of topologies. */
export const TOPOLOGY = 'topology.yaml';

/** The default folder of topologies. */
export const TOPOLOGIES = 'topologies';

/** The default folder of bundles. */
export const OUT = 'out';

/** The environment of use cases. Paths are as the user types them, relative to the working folder. */
export interface Ports {
  readonly files: FileReader;
  readonly tree: OutputTree;
  readonly progress: (step: ProgressStep) => void;
}

/** Reads the topology and the files around it. */
export interface TextReader {
  readonly readText: (path: string) => Promise<ReadResult>;
  /** Reads several files; the size limit of one file applies to all together. */
  readonly readTexts: (paths: readonly string[]) => Promise<readonly ReadResult[]>;
  /** The sorted names of the files in a folder without a leading dot; `undefined` if it is not a folder. */
  readonly namesIn: (folder: string) => Promise<readonly string[] | undefined>;
  /** The symbolic link at a path, or above it on the way from a folder; `undefined` without one, and in a commit. */
  readonly linkBelow: (folder: string, path: string) => Promise<string | undefined>;
}

export interface FileReader extends TextReader {
  /** The working folder, as an absolute path. */
  readonly folder: string;
  /** All files below a folder, or the wanted ones, with their texts. */
  readonly readFolder: (folder: string, isWanted?: (path: string) => boolean) => Promise<FolderResult>;
  /** A path relative to the root of its git repository, empty for the root; `undefined` outside a repository. */
  readonly folderInRepository: (path: string) => string | undefined;
  /** The entries below a folder on disk with their kinds, without files that git ignores. */
  readonly treeBelow: (folder: string, format: ObjectFormat) => Promise<FileTree>;
  /** The rules of git for some files, which need not exist. */
  readonly gitRules: (paths: readonly string[]) => Promise<readonly GitRule[]>;
  /** True if git would commit anything in a folder, and where git does not answer. */
  readonly hasUncommitted: (folder: string) => Promise<boolean>;
  /** Opens a commit of the git repository around the working folder. */
  readonly openCommit: (ref: string) => Promise<GitCommit>;
}

/** The bundles on disk. Paths of problems are as the user types them, too. */
export interface OutputTree {
  /** Classifies the content of an output folder. */
  readonly contentOf: (root: string) => OutContent;
  /** Writes the tree; the result is `not-allowed` if `mayApply`, called before the first change, returns false. */
  readonly write: (request: TreeRequest, mayApply?: WriteOptions['mayApply']) => Promise<TreeResult>;
  readonly compare: (request: TreeRequest) => Promise<TreeDifference>;
  readonly inspect: (request: TreeRequest) => Promise<Inspection | RefusedTree>;
  /** Returns a test that is true when a file below a root still has the text that weft wrote. */
  readonly writtenByWeft: (root: string) => (path: string, text: string) => boolean;
}

/** The step that a use case has started, for a front end that shows progress. */
export type ProgressStep =
  | { readonly kind: 'compiling' }
  | { readonly kind: 'comparing' | 'writing'; readonly out: string; readonly share?: Share }
  | { readonly kind: 'verifying'; readonly out: string; readonly share: Share }
  /** A signal ends the process. */
  | { readonly kind: 'stopped'; readonly out: string; readonly tree: StoppedTree };

/** The number of folders that are finished, and of all. */
export type Share = readonly [done: number, total: number];

/** The environment of use cases that look at live clusters. They only read. */
export interface LivePorts {
  /** The topology, and what is beside it. */
  readonly files: FileReader;
  /** A dump on disk. */
  readonly readDump: (path: string) => Promise<ReadResult>;
  /** Files below a folder. */
  readonly listFolder: (path: string, isWanted: (path: string) => boolean) => Promise<FolderListing>;
  /** A dump that is piped in; the same one each time. */
  readonly readPipedDump: () => Promise<ReadResult>;
  /** The objects of one kind in a cluster. */
  readonly list: (request: ListRequest) => Promise<ListResult>;
  /** Called when the number of clusters that were read has changed. */
  readonly progress?: (share: Share) => void;
}

import type { BundleRecord } from './bundle-record.ts';
import type { TreeProblem } from './tree-request.ts';

/** What the wanted files of a folder are, without their bytes. */
export interface FolderContent {
  readonly paths: readonly string[];
  /** SHA-256 of each of them, in hex. */
  readonly hashes: readonly string[];
  /** The rows that a record has of them, and its text. */
  readonly rows: BundleRecord;
  readonly record: string;
  /** Paths that are not allowed. */
  readonly badPaths: readonly TreeProblem[];
}

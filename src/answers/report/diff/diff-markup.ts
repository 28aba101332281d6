import type { ClusterDiff } from '../../../plan/diff/file-diff.ts';
import type { DiffCounts } from './diff-words.ts';
import type { HunkLine } from './hunks-of.ts';
import type { EarlierCluster } from './same-lines.ts';

/** The pieces of a diff in one language. What they get is text from outside: each piece escapes it. */
export interface DiffMarkup {
  /** Bytes; the result is never longer. */
  readonly limitBytes: number;
  /** Rows of the table of clusters. */
  readonly mostRows: number;
  readonly line: (line: HunkLine | HunkTitle) => string;
  readonly file: (path: string, remarks: readonly string[], lines: readonly string[]) => string;
  /** What is folded away, below a title. */
  readonly folded: (title: string, content: string) => string;
  /** What is left out. */
  readonly note: (text: string) => string;
  /** In place of the lines to read. */
  readonly same: (as: EarlierCluster) => string;
  readonly cluster: (row: ClusterRow, content: string) => string;
  readonly page: (page: DiffPage) => string;
}

interface HunkTitle {
  readonly sign: '@';
  readonly text: string;
}

export interface ClusterRow extends DiffCounts {
  /** From 1. */
  readonly number: number;
  /** `null` for the files of the whole fleet. */
  readonly cluster: string | null;
  readonly change: ClusterDiff['change'];
  /** What happens to it. */
  readonly words: string;
  /** The earlier cluster with the same lines to read; `null` without one. */
  readonly sameAs: EarlierCluster | null;
}

export interface DiffPage {
  readonly fleet: string;
  readonly size: DiffCounts;
  readonly clusters: number;
  /** Those that are not as an earlier one. */
  readonly rows: readonly ClusterRow[];
  /** The clusters that are as an earlier one, by the number of that one. */
  readonly alike: ReadonlyMap<number, readonly ClusterRow[]>;
  /** How many rows are left out. */
  readonly moreRows: number;
  readonly sections: readonly string[];
  /** How many clusters have no section. */
  readonly moreSections: number;
  /** Whether anything is left out. */
  readonly isCut: boolean;
}

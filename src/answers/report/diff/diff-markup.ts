import type { ClusterDiff } from '../../../plan/diff/file-diff.ts';
import type { DiffCounts } from './diff-words.ts';
import type { EarlierCluster, HunkLine } from './hunks-of.ts';

/** The elements of a diff in one output language. Each function escapes its texts, which are not trusted. */
export interface DiffMarkup {
  /** The greatest length of the result. */
  readonly limitBytes: number;
  /** The greatest number of rows in the table of clusters. */
  readonly mostRows: number;
  readonly line: (line: HunkLine | HunkTitle) => string;
  readonly file: (path: string, remarks: readonly string[], lines: readonly string[]) => string;
  /** Lines that are folded away, below a title. */
  readonly folded: (title: string, content: string) => string;
  /** A note about omitted lines. */
  readonly note: (text: string) => string;
  /** A reference that replaces the lines to read. */
  readonly same: (as: EarlierCluster) => string;
  readonly cluster: (row: ClusterRow, content: string) => string;
  readonly page: (page: DiffPage) => string;
}

interface HunkTitle {
  readonly sign: '@';
  readonly text: string;
}

export interface ClusterRow extends DiffCounts {
  /** Starts at 1. */
  readonly number: number;
  /** `null` for the files of the whole fleet. */
  readonly cluster: string | null;
  readonly change: ClusterDiff['change'];
  /** The change in words. */
  readonly words: string;
  /** The earlier cluster with the same lines to read; `null` without one. */
  readonly sameAs: EarlierCluster | null;
}

export interface DiffPage {
  readonly fleet: string;
  readonly size: DiffCounts;
  readonly clusters: number;
  /** Clusters that differ from all earlier ones. */
  readonly rows: readonly ClusterRow[];
  /** Clusters that equal an earlier one, by its number. */
  readonly alike: ReadonlyMap<number, readonly ClusterRow[]>;
  readonly moreRows: number;
  readonly sections: readonly string[];
  /** The number of clusters without a section. */
  readonly moreSections: number;
  /** True when anything is omitted. */
  readonly isCut: boolean;
}

import { countOf } from '../../../base/core/words.ts';
import type { ClusterDiff, FileDiff, FoldReason } from '../../../plan/diff/file-diff.ts';

/** The reason for folding, as the end of a sentence. */
export const FOLD_WORDS: Readonly<Record<FoldReason, string>> = {
  header: 'the line that names the topology file',
  'file-list': 'lists of files that are new or gone',
  'not-applied': 'what Liqo will make of the manifests; nothing applies these files',
  'for-programs': 'addresses.json, for programs: its rows repeat what the manifests contain',
  lock: 'recorded decisions, which the manifests show',
  layout: 'the same objects, written in another way',
  renamed: 'the same lines below the new name of a cluster',
};

/** Describes the change of a cluster, or of the files of the whole fleet. */
export function clusterWords({ cluster, change, formerName }: ClusterDiff): string {
  if (cluster === null) return 'what belongs to no single cluster';
  switch (change) {
    case 'add':
      return 'new cluster';
    case 'remove':
      return 'cluster is removed';
    case 'rename':
      return `was ${formerName}`;
    case 'change':
      return 'changed';
  }
}

/** True when a file is listed even without a line to read: it is added or removed, or its objects move. */
export const isNamed = (file: FileDiff): boolean =>
  file.fold === null &&
  (file.change !== 'change' || file.isReordered || file.parts.some((it) => it.otherFile !== null));

/** Describes the changes of a file besides its edits. */
export function fileRemarks(file: FileDiff): readonly string[] {
  const moved = file.parts.filter((it) => it.otherFile !== null);
  return [
    ...(file.formerPath === null ? [] : [`was ${file.formerPath}`]),
    ...(file.change === 'add' ? ['new file'] : []),
    ...(file.change === 'remove' ? ['file is removed'] : []),
    ...moved.map((it) => `${it.object} is moved ${it.now === null ? 'to' : 'from'} ${it.otherFile}`),
    ...(file.isReordered ? ['its objects are in another order'] : []),
  ];
}

/** Changed lines of some files. */
export interface LineCounts {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Line counts of a cluster or a fleet: to read, and folded away. A file may be in both. */
export interface DiffCounts {
  readonly read: LineCounts;
  readonly folded: LineCounts;
}

export const NO_LINES: LineCounts = { files: 0, added: 0, removed: 0 };

export const addCounts = (a: LineCounts, b: LineCounts): LineCounts => ({
  files: a.files + b.files,
  added: a.added + b.added,
  removed: a.removed + b.removed,
});

/** `+3 −2` */
export const countWords = ({ added, removed }: Omit<LineCounts, 'files'>): string => `+${added} \u2212${removed}`;

/** `+3 −2 in 4 files`, or `nothing` */
export const linesWords = (counts: LineCounts): string =>
  counts.files === 0
    ? 'nothing'
    : counts.added + counts.removed === 0
      ? countOf(counts.files, 'file')
      : `${countWords(counts)} in ${countOf(counts.files, 'file')}`;

/** `+3 −2 lines to read in 4 files of 2 clusters, +30 −20 lines folded away in 17 files` */
export function sizeWords({ read, folded }: DiffCounts, clusters: number): string {
  const of = clusters === 0 || read.files === 0 ? '' : ` of ${countOf(clusters, 'cluster')}`;
  return `${partWords(read, 'to read')}${of}, ${partWords(folded, 'folded away')}`;
}

function partWords(counts: LineCounts, what: string): string {
  if (counts.files === 0) return `nothing ${what}`;
  const files = countOf(counts.files, 'file');
  return counts.added + counts.removed === 0 ? `${files} ${what}` : `${countWords(counts)} lines ${what} in ${files}`;
}

import type { ClusterDiff, FileDiff } from '../../../plan/diff/file-diff.ts';
import { addCounts, type DiffCounts, isNamed, type LineCounts, NO_LINES } from './diff-words.ts';
import { hunksOf } from './hunks-of.ts';

/** How many lines of a cluster have to be read, and how many are folded away. */
export function countLines({ files }: ClusterDiff): DiffCounts {
  const counts = files.map(countFile);
  return {
    read: counts.map((it) => it.read).reduce(addCounts, NO_LINES),
    folded: counts.map((it) => it.folded).reduce(addCounts, NO_LINES),
  };
}

function countFile(file: FileDiff): DiffCounts {
  let [read, folded] = [NO_LINES, NO_LINES];
  for (const { fold, added, removed } of hunksOf(file)) {
    if (fold === null) read = addCounts(read, { files: 0, added, removed });
    else folded = addCounts(folded, { files: 0, added, removed });
  }
  return {
    read: inFile(read, isNamed(file)),
    folded: inFile(folded, file.fold !== null),
  };
}

const inFile = (counts: LineCounts, isShown: boolean): LineCounts =>
  isShown || counts.added + counts.removed > 0 ? { ...counts, files: 1 } : counts;

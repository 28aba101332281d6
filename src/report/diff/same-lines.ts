import type { ClusterDiff, FileDiff } from '../../diff/file-diff.ts';
import { fileRemarks, isNamed } from './diff-words.ts';
import { hunksOf } from './hunks-of.ts';

/** Characters of lines that are compared. An edit that reaches every peer of a hub is short; what is longer is shown each time. */
const LONGEST = 4_000;

/** An earlier cluster. */
export interface EarlierCluster {
  readonly number: number;
  readonly cluster: string;
}

/** Finds the first cluster that has the same lines to read as a later one, but for the own names of both. */
export function sameLines(): (cluster: ClusterDiff, number: number) => EarlierCluster | null {
  const first = new Map<string, EarlierCluster>();
  return (diff, number) => {
    const { cluster, change } = diff;
    const lines = cluster === null || change !== 'change' ? null : linesToRead(diff, cluster);
    if (cluster === null || lines === null) return null;
    const earlier = first.get(lines);
    if (earlier === undefined) first.set(lines, { number, cluster });
    return earlier ?? null;
  };
}

function* editedLines({ parts }: FileDiff): Iterable<string> {
  for (const { old, now, edits } of parts) {
    for (const it of edits) {
      yield* old?.of.slice(it.oldStart, it.oldEnd) ?? [];
      yield* now?.of.slice(it.newStart, it.newEnd) ?? [];
    }
  }
}

/** `null` where there are none, or too many. */
function linesToRead({ files }: ClusterDiff, cluster: string): string | null {
  const texts: string[] = [];
  let length = 0;
  const isTooLong = (text: string): boolean => {
    texts.push(text);
    length += text.length;
    return length > LONGEST;
  };
  for (const file of files) {
    const hunks = [...hunksOf(file)].filter((it) => it.fold === null);
    if (hunks.length === 0 && !isNamed(file)) continue;
    if (isTooLong([file.path, ...fileRemarks(file)].join('\n'))) return null;
    for (const hunk of hunks) {
      if (isTooLong(hunk.title)) return null;
      for (const { sign, text } of hunk.lines()) if (isTooLong(sign + text)) return null;
    }
    // What is shown of two keys, or of two long lines, may be the same.
    for (const line of editedLines(file)) if (isTooLong(line)) return null;
  }
  if (texts.length === 0) return null;
  const ownName = new RegExp(`(?<![a-z0-9-])${cluster}(?![a-z0-9-])`, 'g');
  // A name cannot contain the character that replaces it.
  return JSON.stringify(texts.map((it) => it.replace(ownName, '\0')));
}

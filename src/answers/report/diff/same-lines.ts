import type { ClusterDiff, FileDiff, FoldableEdit, PartDiff } from '../../../plan/diff/file-diff.ts';
import { fileRemarks, isNamed } from './diff-words.ts';
import { hunksOf } from './hunks-of.ts';

/** The greatest length of compared lines. An edit of every peer of a hub is short; longer ones are always shown. */
const LONGEST = 4_000;

/** The most lines above an edit that are searched for its keys. */
const MOST_ABOVE = 300;

/** An earlier cluster. */
export interface EarlierCluster {
  readonly number: number;
  readonly cluster: string;
}

/**
 * Finds the first cluster with the same changed lines in the same objects and below the same keys, except for the names
 * of both clusters. Original lines are compared, because two keys or long lines may look the same when shown.
 */
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

/** `null` when there are none, or too many. */
function linesToRead({ files }: ClusterDiff, cluster: string): string | null {
  const texts: string[] = [];
  let left = LONGEST;
  for (const file of files) {
    if (!isNamed(file) && [...hunksOf(file)].every((it) => it.fold !== null)) continue;
    for (const text of changedIn(file)) {
      if (text === null) return null;
      texts.push(text);
      left -= text.length;
      if (left < 0) return null;
    }
  }
  if (texts.length === 0) return null;
  const ownName = new RegExp(`(?<![a-z0-9-])${cluster}(?![a-z0-9-])`, 'g');
  // A name cannot contain the character that replaces it.
  return JSON.stringify(texts.map((it) => it.replace(ownName, '\0')));
}

/** Yields the changed lines of a file and their places in its objects; `null` when a place is not found. */
function* changedIn(file: FileDiff): Iterable<string | null> {
  yield file.path;
  yield* fileRemarks(file);
  for (const part of file.parts) {
    for (const edit of part.edits) {
      yield part.object;
      yield keysAbove(part, edit);
      for (const line of part.old?.of.slice(edit.oldStart, edit.oldEnd) ?? []) yield `-${line}`;
      for (const line of part.now?.of.slice(edit.newStart, edit.newEnd) ?? []) yield `+${line}`;
    }
  }
}

/** The lines above an edit with decreasing indentation: its parent keys in YAML. */
function keysAbove({ old, now }: PartDiff, edit: FoldableEdit): string | null {
  const isAdded = now !== null && edit.newEnd > edit.newStart;
  const side = isAdded ? now : old;
  const at = isAdded ? edit.newStart : edit.oldStart;
  if (side === null) return null;
  const keys: string[] = [];
  let below = side.of[at] ?? '';
  for (let i = at - 1; i >= side.start && (indentOf(below) > 0 || isEntry(below)); i--) {
    if (at - i > MOST_ABOVE) return null;
    const line = side.of[i] as string;
    if (line === '' || !isAbove(line, below)) continue;
    keys.push(line);
    below = line;
  }
  return keys.join('\n');
}

/** An entry of a list may have the same indentation as the key of the list. */
const isAbove = (line: string, below: string): boolean =>
  indentOf(line) < indentOf(below) || (indentOf(line) === indentOf(below) && isEntry(below) && !isEntry(line));

const isEntry = (line: string): boolean => line.trimStart().startsWith('-');

const indentOf = (line: string): number => line.length - line.trimStart().length;

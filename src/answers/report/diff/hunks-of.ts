import { visibleText } from '../../../base/core/visible-text.ts';
import { shortened } from '../../../base/core/words.ts';
import type { FileDiff, FoldableEdit, FoldReason, PartDiff } from '../../../plan/diff/file-diff.ts';
import { shownLines } from './shown-lines.ts';

/** Code units of an object's name. Kubernetes allows 253 for a name, and 63 for a namespace. */
const LONGEST_NAME = 400;

/** Lines around an edit that did not change. */
const CONTEXT = 3;

export interface HunkLine {
  readonly sign: ' ' | '-' | '+';
  /** As it can be shown: no secret, and nothing hidden. */
  readonly text: string;
}

/** Edits that are close to each other, with the lines around them. */
export interface Hunk {
  /** `@@ -12,7 +12,8 @@`, with the object. */
  readonly title: string;
  readonly removed: number;
  readonly added: number;
  /** `null` if one of its edits has to be read. */
  readonly fold: FoldReason | null;
  readonly lines: () => Iterable<HunkLine>;
}

/** What is shown of a file, in the order of its lines. Every line that differs is in one hunk. */
export function* hunksOf(file: FileDiff): Iterable<Hunk> {
  for (const part of file.parts) {
    let open: FoldableEdit[] = [];
    for (const edit of part.edits) {
      const last = open.at(-1);
      if (last !== undefined && edit.newStart - last.newEnd > 2 * CONTEXT) {
        yield hunkOf(part, open, file.fold);
        open = [];
      }
      open.push(edit);
    }
    if (open.length > 0) yield hunkOf(part, open, file.fold);
  }
}

function hunkOf(part: PartDiff, edits: readonly FoldableEdit[], fold: FoldReason | null): Hunk {
  const [first, last] = [edits[0] as FoldableEdit, edits.at(-1) as FoldableEdit];
  const above = Math.min(CONTEXT, first.newStart - (part.now?.start ?? first.newStart));
  const below = Math.min(CONTEXT, (part.now?.end ?? last.newEnd) - last.newEnd);
  const [oldStart, oldEnd] = [first.oldStart - above, last.oldEnd + below];
  const [newStart, newEnd] = [first.newStart - above, last.newEnd + below];
  const place = `@@ -${range(oldStart, oldEnd)} +${range(newStart, newEnd)} @@`;
  const isFolded = edits.every((it) => it.fold !== null);
  return {
    title: part.object === '' ? place : `${place} ${visibleText(shortened(part.object, LONGEST_NAME))}`,
    removed: edits.reduce((sum, it) => sum + it.oldEnd - it.oldStart, 0),
    added: edits.reduce((sum, it) => sum + it.newEnd - it.newStart, 0),
    fold: fold ?? (isFolded ? first.fold : null),
    lines: () => linesOf(part, edits, newStart, newEnd),
  };
}

/** As `diff -u` counts: from 1, and an empty range is after the line with its number. */
const range = (start: number, end: number): string => `${end === start ? start : start + 1},${end - start}`;

function* linesOf(part: PartDiff, edits: readonly FoldableEdit[], start: number, end: number): Iterable<HunkLine> {
  const [old, now] = [shownLines(part.old), shownLines(part.now)];
  let at = start;
  for (const { oldStart, oldEnd, newStart, newEnd } of edits) {
    for (; at < newStart; at++) yield { sign: ' ', text: now(at) };
    for (let i = oldStart; i < oldEnd; i++) yield { sign: '-', text: old(i) };
    for (; at < newEnd; at++) yield { sign: '+', text: now(at) };
  }
  for (; at < end; at++) yield { sign: ' ', text: now(at) };
}

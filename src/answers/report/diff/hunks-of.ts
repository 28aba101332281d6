import { hasPrivateKey } from '../../../base/core/secrets.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { shortened } from '../../../base/core/words.ts';
import type { ClusterDiff, FileDiff, FoldableEdit, FoldReason, Lines, PartDiff } from '../../../plan/diff/file-diff.ts';
import { addCounts, type DiffCounts, fileRemarks, isNamed, type LineCounts, NO_LINES } from './diff-words.ts';

/** Code units of an object's name. Kubernetes allows 253 for a name, and 63 for a namespace. */
const LONGEST_NAME = 400;

/** The number of unchanged lines around an edit. */
const CONTEXT = 3;

export interface HunkLine {
  readonly sign: ' ' | '-' | '+';
  /** The text without secrets and invisible characters. */
  readonly text: string;
}

/** Edits that are close together, with the lines around them. */
export interface Hunk {
  /** `@@ -12,7 +12,8 @@` and the object. */
  readonly title: string;
  readonly removed: number;
  readonly added: number;
  /** `null` if an edit of it has to be read. */
  readonly fold: FoldReason | null;
  readonly lines: () => Iterable<HunkLine>;
}

/** Yields the hunks of a file in order. Every changed line is in exactly one hunk. */
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

/** A range of `diff -u`: it starts at 1, and an empty range follows the line with its number. */
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

/** The most code units of a line that are shown. Lines of weft are shorter. */
const LONGEST_LINE = 1_000;

/**
 * Returns the lines of an object without values of Secrets, private keys, passwords and tokens, and without invisible
 * characters. weft writes no secrets, but a base may contain any committed file.
 */
function shownLines(lines: Lines | null): (at: number) => string {
  if (lines === null) return () => '';
  const hide = hiderOf(lines);
  return (at) => {
    const [line = '', ...more] = hide(at).split('\n');
    return [visibleText(shortened(line, LONGEST_LINE)), ...more].join('\n');
  };
}

const HIDDEN = '***';

function hiderOf({ of, start, end }: Lines): (at: number) => string {
  let isSecret = false;
  for (let at = start; at < end; at++) {
    const line = of[at] as string;
    // No line of the object is shown, because a PEM has several lines.
    if (hasPrivateKey(line)) return () => HIDDEN;
    isSecret ||= SECRET.test(line);
  }
  return isSecret ? hiderOfSecret(of, start, end) : (at) => of[at] as string;
}

const SECRET = /\bkind["']?\s*:\s*["']?Secret\b/;

/** The parts of a Secret that may contain values: an annotation may repeat the whole Secret. */
const WITH_VALUES = /^(?:(?:data|stringData)|metadata\.annotations)$/;

/** Returns the lines of a Secret with only the keys of block YAML. In other forms, everything is hidden. */
function hiderOfSecret(of: readonly string[], start: number, end: number): (at: number) => string {
  const shown = new Map<number, string>();
  let section = '';
  let isBlock = false;
  for (let at = start; at < end; at++) {
    const line = of[at] as string;
    const [, top, rest = ''] = /^([A-Za-z]\w*):(.*)$/.exec(line) ?? [];
    if (top !== undefined) {
      section = top;
      isBlock ||= top === 'kind' && SECRET.test(line);
      shown.set(at, /^\s*$/.test(rest) || /^(?:apiVersion|kind|type)$/.test(top) ? line : `${top}: ${HIDDEN}`);
      continue;
    }
    const [, below] = /^ {2}([A-Za-z]\w*):/.exec(line) ?? [];
    if (section.startsWith('metadata') && below !== undefined) {
      section = `metadata.${below}`;
      shown.set(
        at,
        WITH_VALUES.test(section) ? line.replace(/:.*$/, `:${/:\s*$/.test(line) ? '' : ` ${HIDDEN}`}`) : line,
      );
      continue;
    }
    shown.set(at, WITH_VALUES.test(section) || !section.startsWith('metadata') ? withoutValue(line) : line);
  }
  return (at) => (isBlock ? (shown.get(at) ?? HIDDEN) : HIDDEN);
}

/** Keeps a key and hides its value; a line without a key is part of a value. */
function withoutValue(line: string): string {
  const [, key] = /^( {2}[\w.-]+:) /.exec(line) ?? [];
  return key === undefined ? HIDDEN : `${key} ${HIDDEN}`;
}

/** Counts the lines of a cluster to read, and those that are folded away. */
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

/** The greatest length of compared lines. An edit of every peer of a hub is short; longer ones are always shown. */
const LONGEST_COMPARED = 4_000;

/** The most lines above an edit that are searched for its keys. */
const MOST_ABOVE = 300;

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
  let left = LONGEST_COMPARED;
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

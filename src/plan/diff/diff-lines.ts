import { diffArrays } from 'diff';
import { addAll } from '../../base/core/collections.ts';

/** LineRange of the old side that are replaced by lines of the new one. Ends are exclusive; one side may be empty. */
export interface Edit {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

type LineRange = readonly string[];

/** Number of lines of both sides together up to which the shortest list of edits is computed. */
const SHORT = 400;

/** Largest number of edits for which a shortest list is computed, because the cost grows with its square. */
const MOST_EDITS = 400;

/**
 * Largest depth of repeated division between unique lines. Texts of weft need two; a crafted text could need thousands.
 */
const DEEPEST = 12;

/**
 * The edits that turn one list of lines into another, in order. Long lists are divided at lines that both contain
 * exactly once, so that the cost grows with their length and not with its square.
 */
export function diffLines(old: LineRange, now: LineRange, range: Edit = whole(old, now)): readonly Edit[] {
  const edits: Edit[] = [];
  collectEdits(old, now, range, edits, DEEPEST);
  return edits;
}

const whole = (old: LineRange, now: LineRange): Edit => ({
  oldStart: 0,
  oldEnd: old.length,
  newStart: 0,
  newEnd: now.length,
});

function collectEdits(old: LineRange, now: LineRange, range: Edit, edits: Edit[], depth: number): void {
  const it = trimmed(old, now, range);
  const [removed, added] = [it.oldEnd - it.oldStart, it.newEnd - it.newStart];
  if (removed === 0 && added === 0) return;
  if (removed === 0 || added === 0) {
    edits.push(it);
    return;
  }
  const anchors = removed + added <= SHORT || depth === 0 ? [] : anchorsIn(old, now, it);
  if (anchors.length === 0) {
    addAll(edits, shortest(old, now, it));
    return;
  }
  let [oldStart, newStart] = [it.oldStart, it.newStart];
  for (const [oldAt, newAt] of [...anchors, [it.oldEnd, it.newEnd] as const]) {
    collectEdits(old, now, { oldStart, oldEnd: oldAt, newStart, newEnd: newAt }, edits, depth - 1);
    [oldStart, newStart] = [oldAt + 1, newAt + 1];
  }
}

/** The range without equal lines at its beginning and end. */
function trimmed(old: LineRange, now: LineRange, range: Edit): Edit {
  let { oldStart, oldEnd, newStart, newEnd } = range;
  while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === now[newStart]) {
    oldStart++;
    newStart++;
  }
  while (oldStart < oldEnd && newStart < newEnd && old[oldEnd - 1] === now[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

/** LineRange that each side contains once, as pairs of indexes, as many as have the same order in both. */
function anchorsIn(old: LineRange, now: LineRange, range: Edit): readonly (readonly [old: number, now: number])[] {
  const inOld = placesOfUnique(old, range.oldStart, range.oldEnd);
  const inNew = placesOfUnique(now, range.newStart, range.newEnd);
  const pairs: (readonly [number, number])[] = [];
  for (const [line, oldAt] of inOld) {
    const newAt = inNew.get(line);
    if (newAt !== undefined) pairs.push([oldAt, newAt]);
  }
  return longestIncreasing(pairs.sort(([a], [b]) => a - b));
}

function placesOfUnique(lines: LineRange, start: number, end: number): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (let at = start; at < end; at++) {
    const line = lines[at] as string;
    if (places.has(line)) repeated.add(line);
    else places.set(line, at);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/** The longest subsequence whose second numbers increase, by patience sorting. */
function longestIncreasing(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as readonly [number, number])[1] < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (ends[low - 1] as number);
    ends[low] = index;
  }
  const found: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] as number)
    found.push(pairs[at] as readonly [number, number]);
  return found.reverse();
}

/** The shortest list of edits; if that list is too long, one edit that replaces all old lines by all new ones. */
function shortest(old: LineRange, now: LineRange, range: Edit): readonly Edit[] {
  const changes = diffArrays(old.slice(range.oldStart, range.oldEnd), now.slice(range.newStart, range.newEnd), {
    maxEditLength: MOST_EDITS,
  });
  if (changes === undefined) return [range];
  const edits: Edit[] = [];
  let [oldAt, newAt] = [range.oldStart, range.newStart];
  let open: Edit | undefined;
  for (const { added, removed, count } of changes) {
    if (!added && !removed) {
      if (open !== undefined) edits.push(open);
      open = undefined;
      oldAt += count;
      newAt += count;
      continue;
    }
    open ??= { oldStart: oldAt, oldEnd: oldAt, newStart: newAt, newEnd: newAt };
    if (removed) oldAt += count;
    else newAt += count;
    open = { ...open, oldEnd: oldAt, newEnd: newAt };
  }
  if (open !== undefined) edits.push(open);
  return edits;
}

/** Suffix of a last line without a line break; no other line contains it. */
const UNENDED = '\n\\ No newline at end of file';

/** The lines of a text, without their line breaks. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, last + UNENDED];
}

/** The text of lines: the inverse of `linesOf`. */
export const textOfLines = (lines: readonly string[]): string =>
  lines.map((it) => (it.endsWith(UNENDED) ? it.slice(0, -UNENDED.length) : `${it}\n`)).join('');

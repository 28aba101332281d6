import { diffArrays } from 'diff';
import { isKustomization, parseBundlePath } from '../../base/core/bundle-path.ts';
import { addAll } from '../../base/core/collections.ts';
import { parseHeader } from '../../base/core/generated-files.ts';

/** The differences in one file. */
export interface FileDiff {
  /** Path below `out/`; for a removed file its old path. The lock has its own path. */
  readonly path: string;
  /** Old path of a file in the folder of a renamed cluster or peer. */
  readonly formerPath: string | null;
  readonly change: 'add' | 'change' | 'remove';
  /**
   * All parts, including those without a difference, in the order of the new file, followed by those that are only in
   * the old one.
   */
  readonly parts: readonly PartDiff[];
  /** True when the same objects are in another order. */
  readonly isReordered: boolean;
  /** The reason why a reviewer need not read the whole file; `null` for a file that must be read. */
  readonly fold: FoldReason | null;
}

/** The header of a file, one of its objects, or a file without objects. */
export interface PartDiff {
  /** `Configuration liqo-tenant-rome/rome`; empty without one. */
  readonly object: string;
  /** The lines on each side; `null` when the side does not contain the object. */
  readonly old: Lines | null;
  readonly now: Lines | null;
  /** The file of the same cluster that contained the object, or contains it now; `null` for the same file. */
  readonly otherFile: string | null;
  readonly edits: readonly FoldableEdit[];
}

/** Lines `start` to `end` (exclusive) of a file. */
export interface Lines {
  readonly of: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** An edit whose numbers are line numbers of the files. */
export interface FoldableEdit extends Edit {
  /** The reason why a reviewer need not read it; `null` for an edit that must be read. */
  readonly fold: FoldReason | null;
}

/**
 * The reasons for collapsing a generated difference that follows from others. It is collapsed, but never left out.
 * - `header`: the line that names the topology file.
 * - `file-list`: an entry of a kustomization whose file or folder is new or gone on the same side.
 * - `not-applied`: the results of the manifests that Liqo will create, for comparison and to read; nothing applies
 * these files.
 * - `for-programs`: addresses.json, whose rows repeat what the manifests contain.
 * - `lock`: recorded decisions, which the manifests show.
 * - `layout`: the same documents in another layout.
 * - `renamed`: a file in a folder with the new name of a cluster, with the same lines.
 */
export const FOLD_REASONS = [
  'header',
  'file-list',
  'not-applied',
  'for-programs',
  'lock',
  'layout',
  'renamed',
] as const;
export type FoldReason = (typeof FOLD_REASONS)[number];

/** The differences in the folder of one cluster, or in the files of the whole fleet. */
export interface ClusterDiff {
  /** `null` for the files of the whole fleet. */
  readonly cluster: string | null;
  readonly formerName: string | null;
  readonly change: 'add' | 'change' | 'remove' | 'rename';
  readonly files: readonly FileDiff[];
}

/**
 * The reason for collapsing a whole file; `null` for a file that a reviewer reads. Files that weft does not write are
 * always read.
 */
export function foldOfFile(path: string): FoldReason | null {
  switch (parseBundlePath(path)?.part) {
    case 'addresses':
      return 'for-programs';
    case 'expected':
    case 'gateway-rules':
    case 'node-rules':
      return 'not-applied';
    default:
      return null;
  }
}

/** The files on one side, and every folder that contains one. */
export type Places = ReadonlySet<string>;

export function changedPlaces(paths: Iterable<string>): Places {
  const places = new Set<string>();
  for (const path of paths) {
    for (let at = path.length; at > 0 && !places.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1))
      places.add(path.slice(0, at));
  }
  return places;
}

interface EditedFile {
  readonly path: string;
  readonly formerPath: string | null;
  readonly old: readonly string[];
  readonly now: readonly string[];
}

/** The reason for collapsing one edit of a file; `null` when one of its lines must be read. */
export function foldOfEdit(edit: Edit, file: EditedFile, were: Places, are: Places): FoldReason | null {
  const removed = file.old.slice(edit.oldStart, edit.oldEnd);
  const added = file.now.slice(edit.newStart, edit.newEnd);
  const isHeader = (lines: readonly string[], start: number): boolean =>
    start === 0 && lines.length === 1 && lines.every((it) => parseHeader(it) !== undefined);
  if (isHeader(removed, edit.oldStart) && isHeader(added, edit.newStart)) return 'header';
  const place = parseBundlePath(file.path);
  if (place === undefined || !isKustomization(place)) return null;
  const [oldFolder, folder] = [folderAbove(file.formerPath ?? file.path), folderAbove(file.path)];
  const follows = (line: string, below: string, here: Places, there: Places): boolean => {
    const [, up, entry] = /^ {2}- (?:"(\.\.\/)(?=.*"$))?([\w.-]+(?:\/[\w.-]+)*)"?$/.exec(line) ?? [];
    // Only the kustomization of `unordered/` is not above the folders of its entries.
    if (entry === undefined || (up !== undefined) !== (place.part === 'unordered')) return false;
    const path = (up === undefined ? below : folderAbove(below.slice(0, -1))) + entry;
    return here.has(path) && !there.has(path);
  };
  const isList =
    removed.every((it) => follows(it, oldFolder, were, are)) && added.every((it) => follows(it, folder, are, were));
  return isList ? 'file-list' : null;
}

/** The folder of a path with its slash; empty for the root. */
const folderAbove = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

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

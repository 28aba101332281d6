import { utf8Length } from '../../../base/core/encodings.ts';
import { countOf, firstLines } from '../../../base/core/words.ts';
import { type ClusterDiff, type FileDiff, FOLD_REASONS, type FoldReason } from '../../../plan/diff/file-diff.ts';
import type { ClusterRow, DiffMarkup } from './diff-markup.ts';
import {
  addCounts,
  clusterWords,
  countWords,
  type DiffCounts,
  FOLD_WORDS,
  fileRemarks,
  isNamed,
  type LineCounts,
  linesWords,
  NO_LINES,
} from './diff-words.ts';
import { type EarlierCluster, type Hunk, hunksOf } from './hunks-of.ts';

/** The share of all bytes for the sections of clusters; the rest is for the text around them. */
const SECTIONS_SHARE = 0.8;

/** The least bytes for each cluster, while bytes are left. */
const LEAST_CLUSTER_BYTES = 2_000;

/** Bytes of the markup around a cluster. */
const AROUND_CLUSTER = 300;

/** A diff in one output language that is printed cluster by cluster. */
interface DiffPrinter {
  readonly add: (cluster: ClusterDiff, counts: DiffCounts, sameAs: EarlierCluster | null) => void;
  readonly finish: () => string;
}

/**
 * Prints a diff within the limit of its language. If it does not fit, each cluster gets a share of the remaining bytes,
 * so that a large cluster does not suppress the others.
 * @param clusters the number of clusters that follow
 */
export function printDiff(fleet: string, clusters: number, markup: DiffMarkup): DiffPrinter {
  const most = markup.limitBytes * SECTIONS_SHARE;
  let left = most;
  let seen = 0;
  let named = 0;
  let size: DiffCounts = { read: NO_LINES, folded: NO_LINES };
  const rows: ClusterRow[] = [];
  const alike = new Map<number, ClusterRow[]>();
  /** Each section in two versions: limited to its share, and whole, as long as all whole ones fit. */
  const sections: ClusterText[] = [];
  let whole: ClusterText[] | null = [];
  let wholeBytes = 0;
  const add = (cluster: ClusterDiff, counts: DiffCounts, sameAs: EarlierCluster | null): void => {
    const { cluster: name, change } = cluster;
    size = { read: addCounts(size.read, counts.read), folded: addCounts(size.folded, counts.folded) };
    if (name !== null) named++;
    const row = { number: seen + 1, cluster: name, change, words: clusterWords(cluster), sameAs, ...counts };
    if (sameAs === null) rows.push(row);
    else append(alike, sameAs.number, row);
    const bytes = Math.max(LEAST_CLUSTER_BYTES, left / (clusters - seen)) - AROUND_CLUSTER;
    seen++;
    if (left < LEAST_CLUSTER_BYTES) {
      whole = null;
      return;
    }
    const printed = printClusterDiff(cluster, row, markup, bytes);
    left -= utf8Length(printed.text);
    sections.push(printed);
    if (whole === null) return;
    const all = printed.isCut ? printClusterDiff(cluster, row, markup, most - wholeBytes) : printed;
    wholeBytes += utf8Length(all.text);
    whole.push(all);
    if (all.isCut || wholeBytes > most) whole = null;
  };
  const finish = (): string => {
    const shown = [...(whole ?? sections)];
    let shownRows = rows.slice(0, markup.mostRows);
    for (;;) {
      const more = { moreRows: rows.length - shownRows.length, moreSections: seen - shown.length };
      const isCut = shown.some((it) => it.isCut) || more.moreRows + more.moreSections > 0;
      const texts = shown.map((it) => it.text);
      const text = markup.page({
        fleet,
        size,
        clusters: named,
        rows: shownRows,
        alike,
        sections: texts,
        ...more,
        isCut,
      });
      if (utf8Length(text) <= markup.limitBytes || shown.length + shownRows.length === 0) return text;
      // Remarks and names are longer than estimated.
      shown.length = Math.floor(shown.length / 2);
      if (shown.length === 0) shownRows = shownRows.slice(0, Math.floor(shownRows.length / 2));
    }
  };
  return { add, finish };
}

function append(lists: Map<number, ClusterRow[]>, number: number, row: ClusterRow): void {
  const known = lists.get(number);
  if (known === undefined) lists.set(number, [row]);
  else known.push(row);
}

/** The least bytes for each file, while bytes are left: a few lines are more useful than its name. */
const LEAST_FILE_BYTES = 500;

/** Bytes of the markup around the lines of a file. */
const AROUND_FILE = 200;

const MOST_REMARKS = 5;

/** The lines of a file that are shown, or folded away, together. */
interface ShownFile extends LineCounts {
  readonly file: FileDiff;
  readonly remarks: readonly string[];
  readonly hunks: readonly Hunk[];
}

interface ClusterText {
  readonly text: string;
  /** True when a line is omitted. */
  readonly isCut: boolean;
}

/** Prints one cluster in approximately the given bytes, and counts omitted lines. */
function printClusterDiff(cluster: ClusterDiff, row: ClusterRow, language: DiffMarkup, bytes: number): ClusterText {
  let isCut = false;
  const markup: DiffMarkup = {
    ...language,
    note: (text) => {
      isCut = true;
      return language.note(text);
    },
  };
  const { open, folded } = sortOut(cluster.files);
  let left = bytes;
  const parts = row.sameAs === null ? [...printFiles(open, markup, left)] : [markup.same(row.sameAs)];
  left -= utf8Length(parts.join(''));
  for (const [i, [reason, files]] of folded.entries()) {
    const content = printFiles(files, markup, left / (folded.length - i)).join('');
    const text = markup.folded(`${FOLD_WORDS[reason]}: ${linesWords(sum(files))}`, content);
    left -= utf8Length(text);
    parts.push(text);
  }
  return { text: markup.cluster(row, parts.join('')), isCut };
}

/** Separates the files to read from those that are folded away, by reason. */
function sortOut(files: readonly FileDiff[]): {
  readonly open: readonly ShownFile[];
  readonly folded: readonly (readonly [FoldReason, readonly ShownFile[]])[];
} {
  const open: ShownFile[] = [];
  const folded = new Map<FoldReason, ShownFile[]>(FOLD_REASONS.map((it) => [it, []]));
  for (const file of files) {
    const hunks = [...hunksOf(file)];
    const remarks = fileRemarks(file);
    const read = hunks.filter((it) => it.fold === null);
    const isOpen = read.length > 0 || isNamed(file);
    if (isOpen) open.push(shownFile(file, remarks, read));
    for (const reason of FOLD_REASONS) {
      const some = hunks.filter((it) => it.fold === reason);
      const isOnlyRemark = file.fold === reason && hunks.length === 0;
      if (some.length > 0 || isOnlyRemark) folded.get(reason)?.push(shownFile(file, isOpen ? [] : remarks, some));
    }
  }
  return { open, folded: [...folded].filter(([, list]) => list.length > 0) };
}

function shownFile(file: FileDiff, remarks: readonly string[], hunks: readonly Hunk[]): ShownFile {
  const shown = firstLines(remarks, MOST_REMARKS, (left) => `and ${countOf(left, 'more remark')}`);
  return { file, remarks: shown, hunks, files: 1, ...countHunkLines(hunks) };
}

const countHunkLines = (hunks: readonly Hunk[]): Omit<LineCounts, 'files'> => ({
  added: hunks.reduce((total, it) => total + it.added, 0),
  removed: hunks.reduce((total, it) => total + it.removed, 0),
});

const sum = (files: readonly LineCounts[]): LineCounts => ({
  files: files.length,
  added: files.reduce((total, it) => total + it.added, 0),
  removed: files.reduce((total, it) => total + it.removed, 0),
});

/** Prints files in order; each gets a share of the remaining bytes. */
function printFiles(files: readonly ShownFile[], markup: DiffMarkup, bytes: number): readonly string[] {
  const texts: string[] = [];
  let left = bytes;
  for (const [i, it] of files.entries()) {
    if (left < LEAST_FILE_BYTES) {
      const others = sum(files.slice(i));
      texts.push(markup.note(`${countOf(others.files, 'more file')}, not shown here: ${countWords(others)}`));
      return texts;
    }
    const text = printFile(it, markup, Math.max(LEAST_FILE_BYTES, left / (files.length - i)) - AROUND_FILE);
    left -= utf8Length(text);
    texts.push(text);
  }
  return texts;
}

function printFile({ file, remarks, hunks, added, removed }: ShownFile, markup: DiffMarkup, bytes: number): string {
  const lines: string[] = [];
  const left = { bytes, added, removed };
  const isFull = (line: string): boolean => {
    left.bytes -= utf8Length(line) + 1;
    if (left.bytes >= 0) lines.push(line);
    return left.bytes < 0;
  };
  for (const hunk of hunks) {
    if (isFull(markup.line({ sign: '@', text: hunk.title }))) break;
    for (const line of hunk.lines()) {
      if (isFull(markup.line(line))) break;
      if (line.sign === '+') left.added--;
      if (line.sign === '-') left.removed--;
    }
    if (left.bytes < 0) break;
  }
  const isWhole = left.added + left.removed === 0;
  const text = markup.file(file.path, remarks, lines);
  return isWhole ? text : text + markup.note(`more lines of this file, not shown here: ${countWords(left)}`);
}

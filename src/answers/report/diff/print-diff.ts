import { utf8Length } from '../../../base/core/utf8.ts';
import type { ClusterDiff } from '../../../plan/diff/file-diff.ts';
import type { ClusterRow, DiffMarkup } from './diff-markup.ts';
import { addCounts, clusterWords, type DiffCounts, NO_LINES } from './diff-words.ts';
import { type ClusterText, printClusterDiff } from './print-cluster-diff.ts';
import type { EarlierCluster } from './same-lines.ts';

/** Of all bytes, the part for the sections of clusters; the rest is for what is around them. */
const SECTIONS_SHARE = 0.8;

/** Bytes that a cluster gets at least, as long as there are any. */
const LEAST_BYTES = 2_000;

/** Bytes of the markup around a cluster. */
const AROUND_CLUSTER = 300;

/** A diff that grows cluster by cluster, in one language. */
interface DiffPrinter {
  readonly add: (cluster: ClusterDiff, counts: DiffCounts, sameAs: EarlierCluster | null) => void;
  readonly finish: () => string;
}

/**
 * A diff that is never longer than its language allows. Where not all of it fits, each cluster gets its share of the bytes that are
 * left, so that one large cluster does not keep the others out.
 *
 * @param clusters how many follow
 */
export function printDiff(fleet: string, clusters: number, markup: DiffMarkup): DiffPrinter {
  const most = markup.limitBytes * SECTIONS_SHARE;
  let left = most;
  let seen = 0;
  let named = 0;
  let size: DiffCounts = { read: NO_LINES, folded: NO_LINES };
  const rows: ClusterRow[] = [];
  const alike = new Map<number, ClusterRow[]>();
  /** Each section in its share, and as long as it is; the latter while all of them fit. */
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
    const bytes = Math.max(LEAST_BYTES, left / (clusters - seen)) - AROUND_CLUSTER;
    seen++;
    if (left < LEAST_BYTES) {
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
      // Remarks and names are longer than they were taken for.
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

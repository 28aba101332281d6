import { utf8Length } from '../../core/utf8.ts';
import type { ClusterDiff } from '../../diff/file-diff.ts';
import type { ClusterRow, DiffMarkup } from './diff-markup.ts';
import { addCounts, clusterWords, type DiffCounts, NO_LINES } from './diff-words.ts';
import { printClusterDiff } from './print-cluster-diff.ts';

/** Of all bytes, the part for the sections of clusters; the rest is for what is around them. */
const SECTIONS_SHARE = 0.8;

/** Bytes that a cluster gets at least, as long as there are any. */
const LEAST_BYTES = 2_000;

/** Bytes of the markup around a cluster. */
const AROUND_CLUSTER = 300;

/** A diff that grows cluster by cluster, in one language. */
interface DiffPrinter {
  readonly add: (cluster: ClusterDiff, counts: DiffCounts) => void;
  readonly finish: () => string;
}

/**
 * A diff that is never longer than its language allows: each cluster gets its share of the bytes that are left, so that one large
 * cluster does not keep the others out.
 *
 * @param clusters how many follow
 */
export function printDiff(fleet: string, clusters: number, markup: DiffMarkup): DiffPrinter {
  let left = markup.limitBytes * SECTIONS_SHARE;
  let seen = 0;
  let named = 0;
  let size: DiffCounts = { read: NO_LINES, folded: NO_LINES };
  const rows: ClusterRow[] = [];
  const sections: string[] = [];
  let isCut = false;
  const add = (cluster: ClusterDiff, counts: DiffCounts): void => {
    const { cluster: name, change } = cluster;
    size = { read: addCounts(size.read, counts.read), folded: addCounts(size.folded, counts.folded) };
    if (name !== null) named++;
    const row = { number: seen + 1, cluster: name, change, words: clusterWords(cluster), ...counts };
    if (rows.length < markup.mostRows) rows.push(row);
    const bytes = Math.max(LEAST_BYTES, left / (clusters - seen)) - AROUND_CLUSTER;
    seen++;
    if (left < LEAST_BYTES) return;
    const printed = printClusterDiff(cluster, row, markup, bytes);
    left -= utf8Length(printed.text);
    isCut ||= printed.isCut;
    sections.push(printed.text);
  };
  const finish = (): string => {
    for (;;) {
      const more = { moreRows: seen - rows.length, moreSections: seen - sections.length };
      const text = markup.page({
        ...{ fleet, size, clusters: named, rows, sections, ...more },
        isCut: isCut || more.moreRows + more.moreSections > 0,
      });
      if (utf8Length(text) <= markup.limitBytes || sections.length + rows.length === 0) return text;
      // Remarks and names are longer than they were taken for.
      sections.length = Math.floor(sections.length / 2);
      if (sections.length === 0) rows.length = Math.floor(rows.length / 2);
    }
  };
  return { add, finish };
}

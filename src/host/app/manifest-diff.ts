import { addCounts, type DiffCounts, NO_LINES, sizeWords } from '../../answers/report/diff/diff-words.ts';
import { HTML_DIFF } from '../../answers/report/diff/html-diff.ts';
import { countLines, sameLines } from '../../answers/report/diff/hunks-of.ts';
import { MARKDOWN_DIFF } from '../../answers/report/diff/markdown-diff.ts';
import { printDiff } from '../../answers/report/diff/print-diff.ts';
import { diffFleet } from '../../plan/diff/diff-fleet.ts';
import { isEmptyPlan } from '../../plan/plan-changes.ts';
import type { PlannedFleet } from './plan-fleet.ts';

export { HTML_DIFF_START } from '../../answers/report/diff/html-diff.ts';
export { MARKDOWN_DIFF_START } from '../../answers/report/diff/markdown-diff.ts';

/** The changed manifest lines of a plan, as files for readers. */
interface ManifestDiff {
  readonly markdown: string;
  readonly html: string;
  /** The size in the words of `sizeWords`. */
  readonly words: string;
}

type DiffedPlan = Pick<PlannedFleet, 'plan' | 'sides' | 'topology'>;

/**
 * Prints the changed manifest lines; `null` when nothing changes. Clusters are compared and printed one after the
 * other, so that only one is in memory at a time.
 */
export function manifestDiff({ plan, sides, topology }: DiffedPlan): ManifestDiff | null {
  if (isEmptyPlan(plan)) return null;
  const renames = plan.changes.flatMap((it) =>
    it.kind === 'cluster-renamed' ? [{ from: it.from, to: it.cluster }] : [],
  );
  const lock = { path: topology.files.lock, ...plan.lock };
  const diff = diffFleet({ ...sides, changes: plan.files, renames, lock });
  const printers = [MARKDOWN_DIFF, HTML_DIFF].map((it) => printDiff(plan.fleet, diff.size, it));
  let [size, clusters]: [DiffCounts, number] = [{ read: NO_LINES, folded: NO_LINES }, 0];
  const earlierOf = sameLines();
  let number = 0;
  for (const cluster of diff.clusters()) {
    const counts = countLines(cluster);
    if (cluster.cluster !== null) clusters++;
    size = { read: addCounts(size.read, counts.read), folded: addCounts(size.folded, counts.folded) };
    const earlier = earlierOf(cluster, ++number);
    for (const it of printers) it.add(cluster, counts, earlier);
  }
  const [markdown = '', html = ''] = printers.map((it) => it.finish());
  return { markdown, html, words: sizeWords(size, clusters) };
}

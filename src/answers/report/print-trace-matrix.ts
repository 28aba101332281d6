import { groupBy } from '../../base/core/group-by.ts';
import { countOf } from '../../base/core/words.ts';
import { arrives } from '../../reach/trace/fate.ts';
import { keylessText } from '../../reach/trace/fates.ts';
import type { PairFate } from '../../reach/trace/pair-fates.ts';
import type { AllPairs, PairCounts } from '../../reach/trace/trace-all.ts';
import type { Paint } from './paint.ts';
import { printTable } from './print-table.ts';
import { wrapLines } from './wrap-text.ts';

/** Clusters in the widest table; a larger fleet is printed as a list only. */
const WIDEST = 12;

/** Pairs that do not reach each other: so many are listed. */
const NAMED_PAIRS = 50;

/** Every ordered pair of clusters: a table with one row per sender, then why some do not reach others. */
export function printTraceMatrix(all: AllPairs, paint: Paint): string {
  const [titles = [], ...rows] = all.clusters.length > WIDEST ? [] : matrixOf(all);
  const table = printTable(titles, rows, paint);
  const counts = all.count();
  return lines([
    ...(table.length === 0 ? [] : [...table, '', ...wrapLines([LEGEND], paint)]),
    ...wrapLines([summaryOf(all, counts)], paint),
    ...missing(all, counts),
  ]);
}

/** The same for a pull request or a wiki. */
export function printTraceMatrixMarkdown(all: AllPairs): string {
  const [titles = [], ...rows] = all.clusters.length > WIDEST ? [] : matrixOf(all);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = rows.length === 0 ? [] : [row(titles), row(titles.map(() => '---')), ...rows.map(row), '', LEGEND, ''];
  const counts = all.count();
  return lines([...table, summaryOf(all, counts), ...missing(all, counts).map((it) => it.replace(/^ {2}/, '- '))]);
}

const LEGEND = 'hub, peering, shortcut: direct, by a link of that kind; by X: through X, which has links to both';

function matrixOf({ clusters, pairs }: AllPairs): readonly (readonly string[])[] {
  const bySender = groupBy([...pairs], (it) => [it.from]);
  const rows = clusters.map((from) => {
    const cells = new Map(bySender.get(from)?.map((it) => [it.to, cellOf(it)]));
    return [from, ...clusters.map((to) => cells.get(to) ?? '.')];
  });
  return [['from \\ to', ...clusters], ...rows];
}

function cellOf({ fate, way }: PairFate): string {
  if (!arrives({ kind: fate })) return fate;
  return way.kind === 'through' ? `by ${way.hub}` : way.kind === 'direct' ? way.link.kind : '.';
}

function summaryOf({ clusters }: AllPairs, { pairs, direct, through }: PairCounts): string {
  const parts = [`${direct} direct`, `${through} through another cluster`, `${pairs - direct - through} not at all`];
  return `${countOf(pairs, 'pair')} of ${countOf(clusters.length, 'cluster')}: ${parts.join(', ')}.`;
}

/** Of a large fleet most pairs may be lost, so only those that are named are looked for. */
function missing({ pairs }: AllPairs, counts: PairCounts): readonly string[] {
  const lost = counts.pairs - counts.direct - counts.through;
  const named = Math.min(lost, NAMED_PAIRS);
  const lines: string[] = [];
  for (const it of named === 0 ? [] : pairs) {
    if (arrives({ kind: it.fate })) continue;
    lines.push(`  ${it.from} to ${it.to}: ${it.keyless ? keylessText(it.keyless) : WHY[it.fate]}`);
    if (lines.length === named) break;
  }
  const left = lost - named;
  return left === 0 ? lines : [...lines, `  and ${left} more; run "weft trace FROM TO" for details`];
}

const WHY: Readonly<Record<PairFate['fate'], string>> = {
  delivered: 'delivered',
  self: 'one cluster',
  'no-route': 'no link, and no cluster with links to both',
  'no-keys': 'a gateway has no public key',
  'tunnel-down': 'a tunnel on the way is down',
  'no-return': 'no answer can return',
  'not-a-pod-address': 'not a pod',
  ambiguous: 'an address has two meanings',
  'needs-run-time-address': 'known at run time only',
  retired: 'retired',
};

const lines = (it: readonly string[]): string => `${it.join('\n')}\n`;

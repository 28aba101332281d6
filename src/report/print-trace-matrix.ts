import { groupBy } from '../core/group-by.ts';
import { sortedUnique } from '../core/order.ts';
import { countOf, firstLines } from '../core/words.ts';
import { arrives } from '../trace/fate.ts';
import { keylessText } from '../trace/fates.ts';
import type { PairFate } from '../trace/pair-fates.ts';
import { alignRows } from './align-rows.ts';
import type { Paint } from './paint.ts';

/** Clusters in the widest table; a larger fleet is printed as a list only. */
const WIDEST = 12;

/** Pairs that do not reach each other: so many are listed. */
const NAMED_PAIRS = 50;

/** Every ordered pair of clusters: a table with one row per sender, then why some do not reach others. */
export function printTraceMatrix(pairs: readonly PairFate[], paint: Paint): string {
  const names = namesIn(pairs);
  const table = names.length > WIDEST ? [] : alignRows(matrixOf(names, pairs));
  const [titles, ...rows] = table;
  return lines([
    ...(titles === undefined ? [] : [paint.quiet(titles), ...rows, '', LEGEND]),
    summaryOf(names, pairs),
    ...missing(pairs),
  ]);
}

/** The same for a pull request or a wiki. */
export function printTraceMatrixMarkdown(pairs: readonly PairFate[]): string {
  const names = namesIn(pairs);
  const [titles = [], ...rows] = names.length > WIDEST ? [] : matrixOf(names, pairs);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = rows.length === 0 ? [] : [row(titles), row(titles.map(() => '---')), ...rows.map(row), '', LEGEND, ''];
  return lines([...table, summaryOf(names, pairs), ...missing(pairs).map((it) => it.replace(/^ {2}/, '- '))]);
}

const LEGEND = 'hub, peering, shortcut: direct, by a link of that kind; by X: through X, which has links to both';

function namesIn(pairs: readonly PairFate[]): readonly string[] {
  return sortedUnique(pairs.flatMap((it) => [it.from, it.to]));
}

function matrixOf(names: readonly string[], pairs: readonly PairFate[]): readonly (readonly string[])[] {
  const bySender = groupBy(pairs, (it) => [it.from]);
  const rows = names.map((from) => {
    const cells = new Map(bySender.get(from)?.map((it) => [it.to, cellOf(it)]));
    return [from, ...names.map((to) => cells.get(to) ?? '.')];
  });
  return [['from \\ to', ...names], ...rows];
}

function cellOf({ fate, way }: PairFate): string {
  if (!arrives({ kind: fate })) return fate;
  return way.kind === 'through' ? `by ${way.hub}` : way.kind === 'direct' ? way.link.kind : '.';
}

function summaryOf(names: readonly string[], pairs: readonly PairFate[]): string {
  const delivered = pairs.filter((it) => arrives({ kind: it.fate }));
  const through = delivered.filter((it) => it.way.kind === 'through').length;
  const parts = [
    `${delivered.length - through} direct`,
    `${through} through another cluster`,
    `${pairs.length - delivered.length} not at all`,
  ];
  return `${countOf(pairs.length, 'pair')} of ${countOf(names.length, 'cluster')}: ${parts.join(', ')}.`;
}

function missing(pairs: readonly PairFate[]): readonly string[] {
  const lost = pairs.filter((it) => !arrives({ kind: it.fate }));
  const lines = lost.map((it) => `  ${it.from} to ${it.to}: ${it.keyless ? keylessText(it.keyless) : WHY[it.fate]}`);
  return firstLines(lines, NAMED_PAIRS, (left) => `  and ${left} more; run "weft trace FROM TO" for details`);
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

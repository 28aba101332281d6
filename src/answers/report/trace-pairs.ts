import { groupBy } from '../../base/core/collections.ts';
import { visibleJson } from '../../base/core/visible-text.ts';
import { countOf } from '../../base/core/words.ts';
import { arrives, idleText } from '../../reach/trace/fates.ts';
import type { PairFate } from '../../reach/trace/pair-fates.ts';
import type { AllPairs, PairCounts } from '../../reach/trace/trace-all.ts';
import type { Answer, PictureFormat } from './answer.ts';
import { printJson } from './diagnostics-document.ts';
import { printLines, printTable, wrapLines } from './layout.ts';
import { type LookReport, lookKeys, withLook, withLookMarkdown } from './live-look.ts';
import type { Paint } from './paint.ts';
import { pairRow } from './trace-document.ts';

/** The most clusters in a table; a larger fleet is printed as a list only. */
const WIDEST = 12;

/** The most pairs that are listed because they do not reach each other. */
const NAMED_PAIRS = 50;

interface TracedPairs {
  readonly all: AllPairs;
  readonly look: LookReport | null;
}

/** `weft trace --all`. */
export const pairsAnswer: Omit<Answer<'trace', TracedPairs>, PictureFormat> = {
  text: ({ all, look }, { paint }) => withLook(printTraceMatrix(all, paint), look, paint),
  json: ({ all, look }, head) => printPairsJson(all.pairs, { before: head, after: lookKeys(look) }),
  markdown: ({ all, look }) => withLookMarkdown(printTraceMatrixMarkdown(all), look),
};

/** Every ordered pair of clusters: a table with one row per sender, then the reasons of lost packets. */
export function printTraceMatrix(all: AllPairs, paint: Paint): string {
  const [titles = [], ...rows] = all.clusters.length > WIDEST ? [] : matrixOf(all);
  const table = printTable(titles, rows, paint);
  const counts = all.count();
  return printLines([
    ...(table.length === 0 ? [] : [...table, '', ...wrapLines([LEGEND], paint)]),
    ...wrapLines([pairText(all, counts)], paint),
    ...missing(all, counts),
  ]);
}

/** The words of all pairs, for a page that lays them out itself. */
export const pairsWords = (all: AllPairs, widest: number) => {
  const counts = all.count();
  return {
    /** The titles, then a row for each sender; empty for a fleet with more clusters than the widest table has. */
    rows: all.clusters.length > widest ? [] : matrixOf(all),
    legend: LEGEND,
    summary: pairText(all, counts),
    missing: missing(all, counts),
  };
};

/** Prints the pairs for a pull request or a wiki. */
function printTraceMatrixMarkdown(all: AllPairs): string {
  const [titles = [], ...rows] = all.clusters.length > WIDEST ? [] : matrixOf(all);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = rows.length === 0 ? [] : [row(titles), row(titles.map(() => '---')), ...rows.map(row), '', LEGEND, ''];
  const counts = all.count();
  return printLines([...table, pairText(all, counts), ...missing(all, counts).map((it) => it.replace(/^ {2}/, '- '))]);
}

const LEGEND = 'hub, peering, shortcut: direct, by a link of that kind; by X: through X, which has links to both';

function matrixOf({ clusters, pairs }: AllPairs): readonly (readonly string[])[] {
  const bySender = groupBy([...pairs], (it) => [it.from]);
  const rows = clusters.map((from) => {
    const cells = new Map(bySender.get(from)?.map((it) => [it.to, fateCell(it)]));
    return [from, ...clusters.map((to) => cells.get(to) ?? '.')];
  });
  return [['from \\ to', ...clusters], ...rows];
}

function fateCell({ fate, way }: PairFate): string {
  if (!arrives({ kind: fate })) return fate;
  return way.kind === 'through' ? `by ${way.hub}` : way.kind === 'direct' ? way.link.kind : '.';
}

function pairText({ clusters }: AllPairs, { pairs, direct, through }: PairCounts): string {
  const parts = [`${direct} direct`, `${through} through another cluster`, `${pairs - direct - through} not at all`];
  return `${countOf(pairs, 'pair')} of ${countOf(clusters.length, 'cluster')}: ${parts.join(', ')}.`;
}

/** Lists lost pairs up to the limit, because most pairs of a large fleet may be lost. */
function missing({ pairs }: AllPairs, counts: PairCounts): readonly string[] {
  const lost = counts.pairs - counts.direct - counts.through;
  const named = Math.min(lost, NAMED_PAIRS);
  const lines: string[] = [];
  for (const it of named === 0 ? [] : pairs) {
    if (arrives({ kind: it.fate })) continue;
    lines.push(`  ${it.from} to ${it.to}: ${it.keyless ? idleText(it.keyless) : whyLost(it)}`);
    if (lines.length === named) break;
  }
  const left = lost - named;
  return left === 0 ? lines : [...lines, `  and ${left} more; run "weft trace FROM TO" for details`];
}

const whyLost = ({ fate, way }: PairFate): string =>
  fate === 'no-route' && way.kind !== 'none' ? 'packets end on the way' : WHY[fate];

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
  'needs-offloading': 'the cluster between them offloads nothing to the second',
  refused: 'a fence refuses it',
  'refused-by-policy': 'a policy refuses it',
  retired: 'retired',
};

/** The document around the pairs, which begins with `before` and ends with `after`. */
interface Around {
  readonly before: object;
  readonly after: object;
}

/** The length of a part in UTF-16 code units. */
const PART = 1 << 18;

/**
 * A document with a row for each pair in the form of `printJson`, in parts: a fleet of 10,000 links has 83 million
 * pairs, whose document exceeds the greatest length of a text.
 */
export function* printPairsJson(pairs: Iterable<PairFate>, { before, after }: Around): Iterable<string> {
  const [head, foot] = printJson({ ...before, pairs: [], ...after }).split(EMPTY);
  let part = `${head}\n  "pairs": [`;
  let separator = '\n';
  const [fromLine, toLine, restOf] = [endLines('from'), endLines('to'), printedRests()];
  for (const it of pairs) {
    part += `${separator}    {\n${fromLine(it.from)}${toLine(it.to)}${restOf(it)}`;
    separator = ',\n';
    if (part.length < PART) continue;
    yield part;
    part = '';
  }
  yield `${part}${separator === '\n' ? ']' : '\n  ]'}${foot}`;
}

/** Texts in a document have no line breaks, and only its own keys are indented by two spaces. */
const EMPTY = '\n  "pairs": []';

/** The line with the name of one end; printed once for each cluster. */
function endLines(key: 'from' | 'to'): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const kept = known.get(name);
    if (kept !== undefined) return kept;
    const line = visibleJson(`      "${key}": ${JSON.stringify(name)},\n`);
    known.set(name, line);
    return line;
  };
}

/** The row after the names. It depends only on the path, and there are far fewer paths than pairs. */
function printedRests(): (pair: PairFate) => string {
  let last: Rest | undefined;
  const known = new WeakMap<PairFate['way'], Rest>();
  return (pair) => {
    if (last && isOf(pair, last)) return last.text;
    const kept = known.get(pair.way);
    last =
      kept && isOf(pair, kept)
        ? kept
        : { way: pair.way, fate: pair.fate, keyless: pair.keyless, text: printRest(pair) };
    if (last !== kept) known.set(pair.way, last);
    return last.text;
  };
}

const isOf = ({ way, fate, keyless }: PairFate, rest: Rest): boolean =>
  rest.way === way && rest.fate === fate && rest.keyless === keyless;

interface Rest extends Pick<PairFate, 'way' | 'fate' | 'keyless'> {
  readonly text: string;
}

/** Prints a row without its names. */
function printRest(pair: PairFate): string {
  const { from: _, to: __, ...rest } = pairRow(pair);
  const [, ...lines] = visibleJson(JSON.stringify(rest, null, 2)).split('\n');
  return lines.map((it) => `    ${it}`).join('\n');
}

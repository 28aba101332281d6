import { visibleText } from '../../base/core/visible-text.ts';
import { countOf, listOf, moreLine, someOf } from '../../base/core/words.ts';
import { placeAt } from '../../base/source/source.ts';
import { type BrokenPairs, type Finding, isDrift, type Problem, type Uncompared } from '../../live/drift/drift.ts';
import type { ExplainedCluster, Rollout } from '../../live/drift/explain-cluster.ts';
import type { Json } from '../../live/dumps/json.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import { type Answer, forTools, type Look, type Printers, unlessQuiet } from './answer.ts';
import { describeLockChanges } from './compile-report.ts';
import { placeRow } from './diagnostics-document.ts';
import { allDown, type DriftReport, driftDiagnostics, pairsText, printDrift } from './drift.ts';
import { markdownTable, markdownText } from './markdown-text.ts';
import { changeDocument } from './plan/plan-answer.ts';
import { printPlan } from './plan/print-plan.ts';
import { MARKDOWN_LIMIT } from './plan/print-plan-markdown.ts';

/** `weft drift`. The text has every problem; tools get diagnostics for them. */
export const driftAnswer: Answer<'drift', DriftReport> = {
  text: printDrift,
  json: (report) => ({ drift: driftDocument(report) }),
  markdown: (report) => printDriftMarkdown(report, { limit: MARKDOWN_LIMIT }),
  ...forTools(({ clusters }) => driftDiagnostics(clusters)),
};

export interface AdoptedReport {
  /** The changes that compiling with the adopted lock makes. */
  readonly plan: Plan;
  readonly lock: { readonly path: string; readonly before: string; readonly after: string; readonly written: boolean };
  /** Live decisions that the lock cannot contain, as sentences; the lock has other values. */
  readonly unkept: readonly string[];
  /** The number of live views that are not the peer's own network, and how many of these no join order produces. */
  readonly views: { readonly remapped: number; readonly forced: number };
}

/** `weft drift --adopt`. */
export const adoptAnswer: Pick<Printers<AdoptedReport>, 'text' | 'json'> = {
  text: unlessQuiet(printAdopted),
  json: ({ plan, lock, views, unkept }) => {
    const { path: file, before, after, written } = lock;
    return {
      adopted: { file, changed: before !== after, written, views, unkept, changes: plan.changes.map(changeDocument) },
    };
  },
};

/** Prints the planned changes of the bundles, and the new decisions of the lock. */
function printAdopted({ plan, lock, views, unkept }: AdoptedReport, { paint, verbose }: Look): string {
  const path = visibleText(lock.path);
  const changes = describeLockChanges(lock.before, lock.after);
  const others = unkept.length === 0 ? 'every' : 'every other';
  const left = unkept.map((it) => `${paint.warning('not as in the clusters')}: ${visibleText(it)}\n`).join('');
  if (changes.length === 0)
    return `${left}${path} has ${others} view and port of these clusters already; "weft drift" shows what else differs\n`;
  const explained =
    views.forced === 0
      ? 'an order of joining explains every view'
      : `no order of joining gives ${countOf(views.forced, 'view')} of ${views.remapped}; the lock keeps them`;
  // Some of the new decisions may replace live ones.
  const asLive = unkept.length === 0 ? ' as they are in the clusters' : `, all but ${unkept.length} as in the clusters`;
  const done = lock.written
    ? `wrote ${path}: ${listOf(changes)}${asLive}; run "weft compile"`
    : `${path} would get ${listOf(changes)}${asLive}; nothing was written`;
  return `${printPlan(plan, { paint, verbose, isLive: true })}\n${left}${done}\n${explained}\n`;
}

/** The document of `weft drift -o json`. Programs rely on it: keys are added, never removed or changed in meaning. */
interface DriftDocument {
  readonly clusters: readonly DriftRow[];
  /** Clusters of the fleet that were not compared, by name. */
  readonly others: readonly string[];
}

interface DriftRow {
  readonly cluster: string;
  readonly state: Rollout['state'];
  readonly compared: number;
  readonly there: number;
  readonly waitsFor: string | null;
  readonly problems: readonly ProblemRow[];
  /** Findings of all problems, in the order of the problems. */
  readonly findings: readonly FindingRow[];
  readonly uncompared: readonly Uncompared[];
}

interface ProblemRow {
  readonly code: string;
  readonly severity: string;
  readonly peer: string | null;
  readonly message: string;
  readonly hint: string | null;
  readonly isWaiting: boolean;
  readonly details: readonly string[];
  readonly pairs: readonly BrokenPairs[];
  readonly file: string;
  readonly line: number;
}

interface FindingRow {
  /** The index of its problem. */
  readonly problem: number;
  /** True for a consequence of the problem. */
  readonly isEffect: boolean;
  readonly kind: Finding['kind'];
  readonly peer: string | null;
  readonly object: Finding['object'];
  readonly path: readonly string[] | null;
  readonly promised: Json;
  readonly live: Json;
  /** The place in the bundle that promises it; `null` when it is not in git. */
  readonly file: string | null;
  readonly line: number | null;
}

export const driftDocument = ({ clusters, others }: DriftReport): DriftDocument => ({
  clusters: clusters.map(clusterRow),
  others,
});

const clusterRow = ({ drift, problems, rollout }: ExplainedCluster): DriftRow => ({
  cluster: drift.cluster,
  state: rollout.state,
  compared: drift.compared,
  there: rollout.there,
  waitsFor: rollout.waitsFor,
  problems: problems.map(problemRow),
  findings: problems.flatMap((it, problem) => [
    ...it.findings.map((one) => findingRow(one, { problem, isEffect: false })),
    ...it.effects.map((one) => findingRow(one, { problem, isEffect: true })),
  ]),
  uncompared: drift.uncompared,
});

function problemRow({ diagnostic, peer, isWaiting, details, pairs }: Problem): ProblemRow {
  const { code, severity, message, hint, span } = diagnostic;
  const { file, line } = placeRow(span);
  return { code, severity, peer, message, hint: hint ?? null, isWaiting, details, pairs, file, line };
}

function findingRow(it: Finding, of: Pick<FindingRow, 'problem' | 'isEffect'>): FindingRow {
  const differs = it.kind === 'different';
  const at = it.kind === 'extra' ? null : placeRow(it.at);
  return {
    ...of,
    kind: it.kind,
    peer: it.peer,
    object: it.object,
    path: differs ? it.path : null,
    promised: differs ? (it.promised ?? null) : null,
    live: differs ? (it.live ?? null) : null,
    file: at?.file ?? null,
    line: at?.line ?? null,
  };
}

interface DriftMarkdownLook {
  /** The greatest length of the result, in characters. */
  readonly limit: number;
}

/** The most items of each part, in decreasing order: the first detail that fits is used. */
const DETAILS = [
  { rows: 500, clusters: 100, problems: 50, lines: 20 },
  { rows: 100, clusters: 30, problems: 15, lines: 8 },
  { rows: 50, clusters: 10, problems: 6, lines: 4 },
  { rows: 25, clusters: 5, problems: 3, lines: 2 },
  { rows: 0, clusters: 0, problems: 0, lines: 0 },
] as const;

type DriftMarkdownDetail = (typeof DETAILS)[number];

const NAMES_SHOWN = 8;

/** Drift for a job summary or an issue: a row for each cluster that differs, and its problems folded below. */
export function printDriftMarkdown(report: DriftReport, { limit }: DriftMarkdownLook): string {
  for (const detail of DETAILS) {
    const text = printAt(report, detail);
    if (text.length <= limit) return text;
  }
  return `${headline(report)}\n`.slice(0, Math.max(0, limit));
}

function printAt(report: DriftReport, detail: DriftMarkdownDetail): string {
  const { clusters, others } = report;
  const differing = clusters.filter((it) => it.problems.length > 0);
  const same = clusters.length - differing.length;
  return `${[
    headline(report),
    ...markdownTable(
      ['cluster', 'state', 'objects', 'problems'],
      differing
        .slice(0, detail.rows)
        .map(({ drift, rollout, problems }) => [
          markdownText(drift.cluster),
          STATES[rollout.state],
          `${rollout.there} of ${drift.compared}`,
          [...new Set(problems.map((it) => it.diagnostic.code))].map((it) => `\`${it}\``).join(', '),
        ]),
    ),
    ...moreLine(differing.length - detail.rows, '', 'cluster').map((it) => `\n${it}`),
    ...differing.slice(0, detail.clusters).flatMap((it) => clusterBlock(it, detail)),
    ...(same > 0 ? ['', `${countOf(same, 'cluster')} as compiled.`] : []),
    ...(others.length > 0 ? ['', `Not compared: ${markdownText(someOf(others, NAMES_SHOWN))}.`] : []),
    ...(differing.length > detail.clusters ? ['', '_Not everything fits here; `weft drift -v` shows it all._'] : []),
  ].join('\n')}\n`;
}

const STATES = { same: 'as compiled', waiting: 'not there yet', drift: '**drift**' } as const;

function headline({ clusters }: DriftReport): string {
  const count = (state: ExplainedCluster['rollout']['state']) =>
    clusters.filter((it) => it.rollout.state === state).length;
  const [drift, waiting] = [count('drift'), count('waiting')];
  if (drift + waiting === 0) return `**No drift** in ${countOf(clusters.length, 'cluster')}.`;
  const parts = [
    ...(drift > 0 ? [`Drift in ${countOf(drift, 'cluster')}`] : []),
    ...(waiting > 0 ? [`${countOf(waiting, 'cluster')} not there yet`] : []),
  ];
  return `**${parts.join(', ')}** of ${clusters.length} compared.`;
}

function clusterBlock(it: ExplainedCluster, detail: DriftMarkdownDetail): readonly string[] {
  const { drift, problems, rollout } = it;
  const count = countOf(problems.filter(isDrift).length, 'problem');
  const waits = rollout.waitsFor === null ? [] : [`Waits for ${markdownText(rollout.waitsFor)}.`, ''];
  return [
    '',
    `<details><summary>${markdownText(drift.cluster)}: ${count}</summary>`,
    '',
    ...waits,
    ...allDown(it).flatMap((line) => [`${markdownText(line)}.`, '']),
    ...problems.slice(0, detail.problems).flatMap((it) => markdownProblem(it, detail)),
    ...moreLine(problems.length - detail.problems, '', 'problem'),
    '',
    '</details>',
  ];
}

function markdownProblem({ diagnostic, pairs, details }: Problem, { lines }: DriftMarkdownDetail): readonly string[] {
  const { code, message, hint, span } = diagnostic;
  const more = [...pairs.map(pairsText), ...details];
  const place = `${span.source.path}:${placeAt(span.source, span.start).line}`;
  return [
    `- \`${code}\`: ${markdownText(message)}`,
    ...more.slice(0, lines).map((it) => `  - ${markdownText(it)}`),
    ...moreLine(more.length - lines).map((it) => `  - ${it}`),
    ...(hint === undefined ? [] : [`  - ${markdownText(`hint: ${hint}`)}`]),
    `  - ${markdownText(place)}`,
  ];
}

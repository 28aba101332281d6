import { countOf, moreLine, someOf } from '../../base/core/words.ts';
import { placeAt } from '../../base/source/source.ts';
import { isDrift, type Problem } from '../../live/drift/drift.ts';
import type { ExplainedCluster } from '../../live/drift/explain-cluster.ts';
import { type DriftReport, pairsText } from './drift.ts';
import { markdownTable, markdownText } from './markdown-text.ts';

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

function clusterBlock({ drift, problems, rollout }: ExplainedCluster, detail: DriftMarkdownDetail): readonly string[] {
  const count = countOf(problems.filter(isDrift).length, 'problem');
  const waits = rollout.waitsFor === null ? [] : [`Waits for ${markdownText(rollout.waitsFor)}.`, ''];
  return [
    '',
    `<details><summary>${markdownText(drift.cluster)}: ${count}</summary>`,
    '',
    ...waits,
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

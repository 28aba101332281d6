import { countAccepted, countDiagnostics, placeRow, printCounts } from '../../answers/report/diagnostics-document.ts';
import { markdownText } from '../../answers/report/markdown-text.ts';
import { printPlanMarkdown } from '../../answers/report/plan/print-plan-markdown.ts';
import type { Remark } from '../../answers/report/print-annotations.ts';
import { moreLine } from '../../base/core/words.ts';
import { type Diagnostic, isOpen, worstFirst } from '../../base/diagnostics/diagnostic.ts';
import { isEmptyPlan, type Plan } from '../../plan/plan-changes.ts';
import { codeSpan, type DiffFiles, diffLine, type ReportFile, reportLine } from './markdown-text.ts';

interface JobSummary {
  /** `null` if unknown. */
  readonly topology: string | null;
  readonly remarks?: readonly Remark[];
  readonly diagnostics: readonly Diagnostic[];
  /** `null` when there is none to show. */
  readonly plan: Plan | null;
  /** The files with the diff of that plan, which later steps upload. */
  readonly diff?: DiffFiles | null;
  /** The page of the fleet, likewise. */
  readonly report?: ReportFile | null;
  readonly pathOf: (path: string) => string;
}

/** Characters. GitHub shows 1 MiB per step; a character may take three bytes. */
const MAX_PLAN_CHARACTERS = 250_000;
const MAX_DIAGNOSTICS = 500;

/** The summary on the page of a run. It is complete, while only ten annotations of a kind are shown. */
export function jobSummary(page: JobSummary): string {
  const { topology, remarks = [], diagnostics, plan, diff = null, report = null, pathOf } = page;
  const heading = topology === null ? '## weft\n' : `## weft: ${markdownText(topology)}\n`;
  const hasErrors = diagnostics.some((it) => it.severity === 'error');
  const refused = plan === null && hasErrors ? 'The topology has errors: nothing is planned, written or sent.\n' : '';
  // An empty plan would mean that there is nothing to do.
  const isShown = plan !== null && !(hasErrors && isEmptyPlan(plan));
  const files = [
    ...(diff === null ? [] : [diffLine(diff, undefined)]),
    ...(report === null ? [] : [reportLine(report, undefined)]),
  ];
  const named = files.map((it) => `\n${it}\n`).join('');
  const body = isShown ? printPlanMarkdown(plan, { limit: MAX_PLAN_CHARACTERS }) + named : '';
  const table = diagnosticsTable(diagnostics, pathOf);
  const parts = [heading, ...remarks.map(remarkBlock), refused];
  return [...parts, ...(hasErrors ? [table, body] : [body, table])].filter((it) => it !== '').join('\n');
}

function remarkBlock({ severity, message, hint }: Remark): string {
  const lines = [...message.split('\n'), ...(hint === undefined ? [] : [`hint: ${hint}`])];
  return `**${severity}**: ${lines.map(markdownText).join('<br>')}\n`;
}

function diagnosticsTable(diagnostics: readonly Diagnostic[], pathOf: (path: string) => string): string {
  const open = worstFirst(diagnostics.filter(isOpen));
  const accepted = printCounts(countAccepted(diagnostics));
  const alsoAccepted = accepted === '' ? [] : [`${accepted} accepted`];
  if (open.length === 0) return alsoAccepted.map((it) => `${it}.\n`).join('');
  const rows = open.slice(0, MAX_DIAGNOSTICS).map((it) => {
    const place = placeRow(it.span);
    const where = codeSpan(`${pathOf(place.file)}:${place.line}`);
    const what = [it.message, ...(it.hint === undefined ? [] : [it.hint])].map(markdownText).join('<br>');
    return `| ${it.severity} | ${where} | ${what} | ${codeSpan(it.code)} |`;
  });
  const left = open.length - rows.length;
  return [
    `### ${[printCounts(countDiagnostics(diagnostics)), ...alsoAccepted].join('; ')}\n`,
    '| | where | what | code |',
    '|---|---|---|---|',
    ...rows,
    ...moreLine(left, ': see the log.').map((it) => `\n${it}`),
    '',
  ].join('\n');
}

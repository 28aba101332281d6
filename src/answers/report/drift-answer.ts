import { visibleText } from '../../base/core/visible-text.ts';
import { countOf, listOf } from '../../base/core/words.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import { type Answer, forTools, type Look, type Printers, unlessQuiet } from './answer.ts';
import { describeLockChanges } from './compile-report.ts';
import { type DriftReport, driftDiagnostics, printDrift } from './drift.ts';
import { driftDocument } from './drift-document.ts';
import { printDriftMarkdown } from './drift-markdown.ts';
import { changeDocument } from './plan/plan-document.ts';
import { printPlan } from './plan/print-plan.ts';
import { MARKDOWN_LIMIT } from './plan/print-plan-markdown.ts';

/** `weft drift`. The text has every problem; tools get diagnostics for them. */
export const driftAnswer: Answer<'drift', DriftReport> = {
  text: printDrift,
  json: (report) => ({ drift: driftDocument(report) }),
  markdown: (report) => printDriftMarkdown(report, { limit: MARKDOWN_LIMIT }),
  ...forTools(({ clusters }) => driftDiagnostics(clusters)),
};

interface AdoptedReport {
  readonly plan: Plan;
  readonly lock: { readonly path: string; readonly before: string; readonly after: string; readonly written: boolean };
  /** Live decisions that the lock cannot contain. */
  readonly unkept: readonly string[];
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
  if (changes.length === 0) return `${left}${path} has ${others} view and port of these clusters already\n`;
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

import { visibleText } from '../core/visible-text.ts';
import { countOf, listOf } from '../core/words.ts';
import type { Plan } from '../plan/plan-changes.ts';
import { describeLockChanges } from './describe-lock-changes.ts';
import type { Paint } from './paint.ts';
import { printPlan } from './plan/print-plan.ts';

interface AdoptedReport {
  readonly plan: Plan;
  readonly lock: { readonly path: string; readonly before: string; readonly after: string; readonly written: boolean };
  readonly views: { readonly remapped: number; readonly forced: number };
}

/** `weft drift --adopt`: what the bundles would then be, and what the lock has now. */
export function printAdopted({ plan, lock, views }: AdoptedReport, paint: Paint, verbose: boolean): string {
  const path = visibleText(lock.path);
  const changes = describeLockChanges(lock.before, lock.after);
  if (changes.length === 0) return `${path} has every view and port of these clusters already\n`;
  const explained =
    views.forced === 0
      ? 'an order of joining explains every view'
      : `no order of joining gives ${countOf(views.forced, 'view')} of ${views.remapped}; the lock keeps them`;
  const done = lock.written
    ? `wrote ${path}: ${listOf(changes)} as they are in the clusters; run "weft compile"`
    : `${path} would get ${listOf(changes)} as they are in the clusters; nothing was written`;
  return `${printPlan(plan, { paint, verbose, isLive: true })}\n${done}\n${explained}\n`;
}

import { countOf } from '../../../base/core/words.ts';
import { countBrokenPairs } from '../../../plan/blast-radius.ts';
import { countChanges } from '../../../plan/count-changes.ts';
import { deletedNamespaces } from '../../../plan/deleted-namespaces.ts';
import type { Plan } from '../../../plan/plan-changes.ts';

/** `Plan: 3 to add, 1 to change, 0 to remove; live flows break between 2 pairs of clusters.` */
export function planLine(plan: Plan): string {
  if (plan.changes.length === 0) return 'Plan: nothing to do.';
  const { add, change, remove, disruptive, trust } = countChanges(plan.changes);
  const deleted = deletedNamespaces(plan.changes).length;
  const loss = deleted === 0 ? '' : `${countOf(deleted, 'namespace')} deleted with all volumes; `;
  const trusted = trust === 0 ? '' : 'who is trusted changes; ';
  const flows = verdict(countBrokenPairs(plan), disruptive);
  return `Plan: ${add} to add, ${change} to change, ${remove} to remove; ${loss}${trusted}${flows}.`;
}

function verdict(pairs: number, disruptive: number): string {
  if (pairs > 0) return `live flows break between ${countOf(pairs, 'pair')} of clusters`;
  if (disruptive === 0) return 'no live flow breaks';
  return `no live flow breaks, but ${countOf(disruptive, 'change')} ${disruptive === 1 ? 'needs' : 'need'} care`;
}

import { countOf, shortened } from '../../../base/core/words.ts';
import { CODES } from '../../../base/diagnostics/codes.ts';
import type { Plan } from '../../../plan/plan-changes.ts';
import type { AddedAcceptance, PlannedAcceptances } from '../../../plan/planned-acceptances.ts';
import { printCounts } from '../count-diagnostics.ts';

/** Characters of a reason that a plan repeats; the topology has all of it. */
const LONGEST_REASON = 200;

/** `ipam/block-tight in rome (1 warning): rome offloads two pods`. */
export function describeAcceptance({ code, clusters, reason, count }: AddedAcceptance): string {
  const [one, other] = clusters;
  const where = one === undefined ? 'in the whole fleet' : other === undefined ? `in ${one}` : `on ${one}/${other}`;
  const what = count === 0 ? 'nothing by itself' : countOf(count, CODES[code]);
  return `${code} ${where} (${what}): ${shortened(reason, LONGEST_REASON)}`;
}

/** `2 warnings, 1 note accepted in all`; none where nothing is accepted. */
export function countAccepted({ warnings, notes }: PlannedAcceptances): readonly string[] {
  const counts = printCounts({ errors: 0, warnings, notes });
  return counts === '' ? [] : [`${counts} accepted in all`];
}

/** What a plan cannot say about assertions; none where it can. */
export const unreadAssertions = ({ assertions }: Plan): readonly string[] =>
  assertions === 'unreadable'
    ? ['The base has no topology that can be read, so assertions that are gone or weaker are not in this plan.']
    : [];

import { blastRadius, countPairs } from '../plan/blast-radius.ts';
import type { Change } from '../plan/change.ts';
import type { LinkState } from '../plan/network-state.ts';
import { isEmptyPlan, type Plan } from '../plan/plan-changes.ts';
import { countChanges, describeChange, planLine, stepsOf } from './plan-words.ts';

/** A plan for programs: keys are added, never taken away or given another meaning. */
export function planDocument(plan: Plan) {
  const { fleet, changes, files, size, history } = plan;
  const rows = blastRadius(plan);
  return {
    fleet,
    empty: isEmptyPlan(plan),
    line: planLine(plan),
    counts: countChanges(changes),
    size,
    pairs: countPairs(rows),
    blastRadius: rows,
    changes: changes.map((it) => ({ ...plain(it), text: describeChange(it) })),
    steps: stepsOf(plan),
    history,
    files: files.map(({ path, change, explainedBy }) => ({ path, change, explainedBy })),
    lockChanges: plan.lock.before !== plan.lock.after,
  };
}

/** Without maps, which JSON does not know. */
function plain(it: Change) {
  if (it.kind !== 'link-added' && it.kind !== 'link-removed') return it;
  return { ...it, link: plainLink(it.link) };
}

const plainLink = ({ sides, ...link }: LinkState) => ({ ...link, sides: [...sides.values()] });

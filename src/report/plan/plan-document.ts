import { blastRadius, countPairs } from '../../plan/blast-radius.ts';
import type { Change } from '../../plan/change.ts';
import { countChanges } from '../../plan/count-changes.ts';
import { isEmptyPlan, type Plan } from '../../plan/plan-changes.ts';
import { describeChange, describeFields, describeId, describeReason, describeSteps } from './describe-change.ts';
import { planLine } from './plan-line.ts';
import { stepGroups } from './step-groups.ts';

/** A plan for programs: keys are added, never removed or given another meaning. */
export function planDocument(plan: Plan) {
  const { fleet, changes, files, size, batches, history, acceptances } = plan;
  const rows = blastRadius(plan);
  const ids = new Map(changes.map((it) => [it.id, describeId(it)]));
  return {
    fleet,
    empty: isEmptyPlan(plan),
    line: planLine(plan),
    counts: countChanges(changes),
    size,
    pairs: countPairs(rows),
    blastRadius: rows,
    changes: changes.map(changeDocument),
    steps: stepGroups(plan),
    batches,
    history,
    acceptances,
    files: files.map(({ path, change, explainedBy }) => ({
      path,
      change,
      explainedBy: explainedBy.map((id) => ids.get(id) ?? id),
    })),
    lockChanges: plan.lock.before !== plan.lock.after,
  };
}

/** What a change is about, then what it means: the order of keys is the one that JSON has. */
function changeDocument(change: Change) {
  const { id: _, disruptive, isConsequence, reason, steps, subject, clusters, flows, ...difference } = change;
  return {
    ...difference,
    ...describeFields(change),
    disruptive,
    why: describeReason(change),
    id: describeId(change),
    steps: describeSteps(change),
    clusters,
    flows,
    text: describeChange(change),
  };
}

import { blastRadius, countPairs } from '../../../plan/blast-radius.ts';
import { type Change, countChanges } from '../../../plan/change.ts';
import { isEmptyPlan, type Plan } from '../../../plan/plan-changes.ts';
import { SCHEMA_VERSION } from '../diagnostics-document.ts';
import { describeChange, describeFields, describeReason, describeSteps, stepGroups } from './describe-change.ts';
import { planLine } from './plan-tables.ts';

/** The JSON document of a plan, for programs and for its own file. */
export function planDocument(plan: Plan) {
  const { fleet, changes, files, size, batches, history, acceptances, assertions } = plan;
  const rows = blastRadius(plan);
  return {
    schemaVersion: SCHEMA_VERSION,
    fleet,
    empty: isEmptyPlan(plan),
    line: planLine(plan),
    counts: countChanges(changes),
    size,
    pairs: countPairs(rows),
    blastRadius: rows,
    changes: changes.map(changeDocument),
    steps: stepGroups(plan).map(({ when, what, on }) => ({ when, what, on })),
    batches,
    history,
    acceptances,
    assertions,
    files: files.map(({ path, change: action, explainedBy }) => ({ path, action, explainedBy })),
    lockChanges: plan.lock.before !== plan.lock.after,
  };
}

/** The JSON document of a change: its subject first, then its meaning. The order of the keys is that of the output. */
export function changeDocument(change: Change) {
  const { id, disruptive, isTrust, isConsequence, reason, steps, subject, clusters, flows, ...difference } = change;
  return {
    ...difference,
    ...describeFields(change),
    disruptive,
    trust: isTrust,
    why: describeReason(change),
    id,
    steps: describeSteps(change),
    clusters,
    flows,
    text: describeChange(change),
  };
}

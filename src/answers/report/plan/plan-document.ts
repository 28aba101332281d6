import { blastRadius, countPairs } from '../../../plan/blast-radius.ts';
import { type Change, countChanges } from '../../../plan/change.ts';
import { isEmptyPlan, type Plan } from '../../../plan/plan-changes.ts';
import { SCHEMA_VERSION } from '../diagnostics-document.ts';
import { describeChange, describeFields, describeReason, describeSteps, stepGroups } from './describe-change.ts';
import { planLine } from './plan-tables.ts';

/** A plan for programs, also as a file of its own. */
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

/** What a change is about, then what it means: the order of keys is the one that JSON has. */
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

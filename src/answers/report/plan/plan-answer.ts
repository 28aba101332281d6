import { visibleText } from '../../../base/core/visible-text.ts';
import type { AddressedModel } from '../../../fleet/ipam/addressed-model.ts';
import { blastRadius, countPairs } from '../../../plan/blast-radius.ts';
import { type Change, countChanges } from '../../../plan/change.ts';
import { isEmptyPlan, type Plan } from '../../../plan/plan-changes.ts';
import { type Answer, forTools, unlessQuiet } from '../answer.ts';
import { SCHEMA_VERSION } from '../diagnostics-document.ts';
import { commandLines, type LiveNames } from '../live-commands.ts';
import type { Remark } from '../print-annotations.ts';
import { describeChange, describeFields, describeReason, describeSteps } from './describe-change.ts';
import { planDiagnostics } from './plan-diagnostics.ts';
import { stepGroups, usualNames } from './plan-steps.ts';
import { type Preflight, planLine, preflightLine } from './plan-tables.ts';
import { printPlan } from './print-plan.ts';
import { MARKDOWN_LIMIT, printPlanMarkdown } from './print-plan-markdown.ts';
import { printStages, printStagesMarkdown, type Stages, stagesDocument } from './print-stages.ts';

interface Planned {
  readonly plan: Plan;
  /** The model of the topology. */
  readonly model: AddressedModel;
  /** `null` for a plan that starts from files. */
  readonly live: Preflight | null;
  /** The names of clusters in commands, as the call has them. */
  readonly names?: LiveNames;
  /** The states between the two sides, where they are asked for. */
  readonly stages?: Stages | null;
  /** The folder of bundles that the plan starts from, in a git repository, whose branches may differ more; else `null`. */
  readonly out?: string | null;
}

/** `weft plan`. The text shows disruptive changes; tools get diagnostics for them. */
export const planAnswer: Answer<'plan', Planned> = {
  text: ({ plan, live, names = usualNames(plan), out = null, stages = null }, look) =>
    stages !== null
      ? printStages(stages, { ...look, names })
      : `${startText(live)}${printPlan(plan, { ...look, hasDrift: hasDrift(live), names })}${branchHint(plan, out)}`,
  json: ({ plan, live, names = usualNames(plan), stages = null }) => ({
    plan: planDocument(plan, names),
    ...(live && { live }),
    ...(stages && stagesDocument(stages, (it) => planDocument(it, names))),
  }),
  markdown: ({ plan, live, names = usualNames(plan), stages = null }) =>
    stages !== null
      ? printStagesMarkdown(stages, names)
      : `${startText(live)}${printPlanMarkdown(plan, { limit: MARKDOWN_LIMIT, hasDrift: hasDrift(live), names })}`,
  ...forTools(({ plan, model }) => planDiagnostics(plan, model)),
};

const hasDrift = (live: Preflight | null): boolean => (live?.unexplained ?? []).length > 0;

/** After a compile no difference is left, while the steps of the whole branch are still to be done. */
const branchHint = (plan: Plan, out: string | null): string =>
  out === null || !isEmptyPlan(plan)
    ? ''
    : `This compares with ${visibleText(out)}/; with --base main, it shows what a branch changes.\n`;

const startText = (live: Preflight | null): string => (live === null ? '' : `${preflightLine(live)}\n\n`);

interface PullRequestAnswer {
  readonly plan: Plan;
  readonly planId: string;
  readonly remarks: readonly Remark[];
  /** True when the plan is printed as text. */
  readonly showsPlan: boolean;
  /** The results of one mode. */
  readonly done: object;
}

/** `weft pr`. With `-o json` stdout is one document in every mode and for every result. */
export const pullRequestAnswer: Answer<'pr', PullRequestAnswer> = {
  text: unlessQuiet(({ plan, showsPlan }, look) => (showsPlan ? printPlan(plan, look) : '')),
  json: ({ plan, planId, remarks, done }) => ({
    planId,
    remarks: remarks.map(({ severity, message, hint = null }) => ({ severity, message, hint })),
    ...done,
    plan: planDocument(plan),
  }),
  ...forTools(),
};

/** The JSON document of a plan, for programs and for its own file. */
export function planDocument(plan: Plan, names = usualNames(plan)) {
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
    steps: stepGroups(plan).map(({ when, what, on, commands, steps }) => ({
      when,
      what,
      on,
      commands: commandLines(commands, names, true),
      kinds: [...new Set(steps.map((it) => it.step))],
    })),
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
    steps: describeSteps(change).map(({ when, what, on }) => ({ when, what, on })),
    clusters,
    flows,
    text: describeChange(change),
  };
}

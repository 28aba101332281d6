import type { AddressedModel } from '../../../fleet/ipam/addressed-model.ts';
import type { Plan } from '../../../plan/plan-changes.ts';
import { type Answer, forTools, unlessQuiet } from '../answer.ts';
import type { Remark } from '../print-annotations.ts';
import { planDiagnostics } from './plan-diagnostics.ts';
import { planDocument } from './plan-document.ts';
import { type Preflight, preflightLine } from './plan-tables.ts';
import { printPlan } from './print-plan.ts';
import { MARKDOWN_LIMIT, printPlanMarkdown } from './print-plan-markdown.ts';

interface Planned {
  readonly plan: Plan;
  /** The model of the topology. */
  readonly model: AddressedModel;
  /** `null` for a plan that starts from files. */
  readonly live: Preflight | null;
}

/** `weft plan`. The text shows disruptive changes; tools get diagnostics for them. */
export const planAnswer: Answer<'plan', Planned> = {
  text: ({ plan, live }, look) => `${startText(live)}${printPlan(plan, look)}`,
  json: ({ plan, live }) => ({ plan: planDocument(plan), ...(live && { live }) }),
  markdown: ({ plan, live }) => `${startText(live)}${printPlanMarkdown(plan, { limit: MARKDOWN_LIMIT })}`,
  ...forTools(({ plan, model }) => planDiagnostics(plan, model)),
};

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

import { isEmptyPlan, type Plan } from '../plan/plan-changes.ts';
import { printPlanMarkdown } from '../report/plan/print-plan-markdown.ts';
import { render } from '../text/render.ts';
import { codeSpan } from './code-span.ts';
import { commitText } from './commit-text.ts';

/**
 * Characters. GitHub accepts 65,536 in a body and answers "body is too long" to more; the rest is for the text around a plan.
 * Source: changesets/action, which stops at 60,000.
 */
export const MAX_BODY_CHARACTERS = 60_000;

/** Markdown below a plan, and the marker above it. */
const RESERVED_CHARACTERS = 2_000;

interface PullText {
  readonly title: string;
  readonly body: string;
  /** Of the commit. */
  readonly message: string;
  readonly closingComment: string;
}

/** The texts of the pull request of a fleet. They name no run, so that equal plans have equal texts. */
export function pullText(plan: Plan, fleet: string, topology: string): PullText {
  return {
    title: `Manifests of ${fleet}`,
    body: render('github/pull-body', {
      id: fleet,
      plan: printPlanMarkdown(plan, { limit: MAX_BODY_CHARACTERS - RESERVED_CHARACTERS }).trimEnd(),
      topology: codeSpan(topology),
    }),
    message: `Compile the manifests of ${fleet}\n\nFrom ${commitText(topology)}, by weft.`,
    closingComment: `Nothing is left to merge: the base branch is up to date with ${codeSpan(topology)}. weft closes this pull request; its branch stays, since it may contain your commits.`,
  };
}

/** The sticky comment of a pull request that edits a topology. `lead` is Markdown above the plan. */
export function commentText(plan: Plan, lead: string, runUrl: string | undefined): string {
  // A plan without changes would say that there is nothing to do.
  if (lead !== '' && isEmptyPlan(plan)) return lead;
  const limit = MAX_BODY_CHARACTERS - RESERVED_CHARACTERS - lead.length;
  const text = printPlanMarkdown(plan, { limit, ...(runUrl === undefined ? {} : { runUrl }) });
  return lead === '' ? text : `${lead}\n${text}`;
}

import { isEmptyPlan, type Plan } from '../../plan/plan-changes.ts';
import { type Forge, ForgeError } from '../forge/forge.ts';
import type { DiffFiles, ReportFile } from '../forge/markdown-text.ts';
import { commentText, isPlanMarker, type PlanOwner, printPlanMarker } from '../forge/pull-text.ts';
import { upsertComment } from '../forge/upsert-comment.ts';
import { type Connect, connectToForge, type ForgeRequest, type PlannedPullRequest } from './plan-pull-request.ts';
import type { Refusal } from './refusal.ts';

type Planned = Pick<PlannedPullRequest, 'plan' | 'planId'>;

export interface CommentRequest extends ForgeRequest {
  /** The number of the pull request; `null` if it is unknown. */
  readonly pull: number | null;
  /** True when its commits come from another repository: then the token of the run is read-only. */
  readonly isFromFork: boolean;
  /** The login of the commenter, if known. */
  readonly author: string | undefined;
  readonly owner: PlanOwner;
  /** Markdown above the plan; with it a comment is always written. */
  readonly lead: string;
  /** The page of this run, which a shortened comment links. */
  readonly runUrl: string | undefined;
  /** The files with the changed lines, which later steps keep as artifacts of the run. */
  readonly diff: DiffFiles | null;
  /** The page of the fleet, likewise. */
  readonly report: ReportFile | null;
}

type CommentResult =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The plan is empty, and there is no comment to update. */
  | { readonly kind: 'not-needed'; readonly pull: number; readonly namesRun: boolean }
  | {
      readonly kind: 'commented';
      readonly pull: number;
      readonly change: 'created' | 'updated' | 'unchanged';
      readonly url: string;
      /** True when the plan was too long, so that the comment refers to the page of the run. */
      readonly namesRun: boolean;
    }
  /** The token may not comment on a pull request from a fork. */
  | { readonly kind: 'read-only-token'; readonly pull: number };

/** Keeps one comment with the plan on a pull request and updates it in place. */
export async function commentPlan(connect: Connect, planned: Planned, request: CommentRequest): Promise<CommentResult> {
  const { pull, token, isFromFork } = request;
  if (pull === null) return { kind: 'refused', refusal: { kind: 'no-pull-request' } };
  if (isFromFork && token === undefined) return { kind: 'read-only-token', pull };
  try {
    const access = await connectToForge(connect, request);
    if (access.kind === 'refused') return access;
    try {
      return await comment(access.forge, planned, { ...request, pull });
    } finally {
      await access.forge.close();
    }
  } catch (error) {
    if (isFromFork && isPermission(error)) return { kind: 'read-only-token', pull };
    throw error;
  }
}

async function comment(
  forge: Forge,
  planned: Planned,
  { pull, author, runUrl, owner, lead, diff, report }: CommentRequest & { readonly pull: number },
): Promise<CommentResult> {
  const { body, namesRun } = commentText(planned, { lead, runUrl, diff, report });
  const marker = printPlanMarker(owner);
  const isMarker = (line: string): boolean => isPlanMarker(line, owner);
  const done = await upsertComment(forge, {
    pull,
    marker,
    isMarker,
    body,
    author,
    onlyUpdate: lead === '' && saysNothing(planned.plan),
  });
  if (done.change === 'not-needed') return { kind: 'not-needed', pull, namesRun };
  return { kind: 'commented', pull, change: done.change, url: done.comment.url, namesRun };
}

const saysNothing = (plan: Plan): boolean =>
  isEmptyPlan(plan) && plan.acceptances.added.length === 0 && plan.assertions !== 'unreadable';

/**
 * True when the token lacks a permission. GitHub gives runs for forks a read-only token. Source: docs.github.com,
 * "Events that trigger workflows".
 */
const isPermission = (error: unknown): boolean =>
  error instanceof ForgeError && (error.failure === 'not-permitted' || error.failure === 'not-found');

import type { Compiled } from '../../compile.ts';
import { isEmptyPlan, type Plan } from '../../plan/plan-changes.ts';
import type { Inspection, RefusedTree } from '../disk/tree/inspect-tree.ts';
import { digestOf } from '../forge/edits.ts';
import { type Forge, ForgeError, type Repository } from '../forge/forge.ts';
import { type CommentParts, commentText, isPlanMarker, type PlanOwner, printPlanMarker } from '../forge/pull-text.ts';
import { upsertComment } from '../forge/upsert-comment.ts';
import { treeRequest } from './compile-fleet.ts';
import type { CompiledTopology, ReadyTopology } from './compile-topology.ts';
import { type PlannedFleet, type PlanRequest, planFleet } from './plan-fleet.ts';
import type { FileReader, Ports } from './ports.ts';
import { type Base, openLastCommit } from './read-base.ts';
import { OperationRefused, type Refusal } from './refusal.ts';

export type PullRequestPlan = Exclude<CompiledTopology, ReadyTopology> | PlannedPullRequest;

/** The plan of a topology without errors. The lock was decided in memory; nothing is written. */
export interface PlannedPullRequest extends Pick<PlannedFleet, 'topology' | 'plan' | 'removals' | 'broken' | 'sides'> {
  readonly kind: 'planned';
  /** The folder of the bundles. */
  readonly out: string;
  /** The base of the plan. */
  readonly base: Base;
  /** The changes that `weft compile` would make on this disk, or the reasons why it would refuse. */
  readonly tree: Inspection | RefusedTree;
  /** True when `weft compile` would change nothing. */
  readonly isCurrent: boolean;
  /** Identifies the content that the plan writes. */
  readonly planId: string;
}

/** Plans, and compares with the bundles on disk: the first step of every mode of `weft pr`. */
export async function planPullRequest(
  ports: Pick<Ports, 'files' | 'tree'>,
  request: PlanRequest,
): Promise<PullRequestPlan> {
  const planned = await planFleet(ports, request);
  if (planned.kind !== 'planned') return planned;
  const { topology, plan, removals, broken, sides } = planned;
  const { out, base } = request;
  const tree = await ports.tree.inspect(treeRequest(topology, { out, only: null }));
  const id = await planId(plan, topology.compiled);
  const comparison = { tree, isCurrent: isCurrent(tree) };
  return { kind: 'planned', topology, out, base, ...comparison, plan, planId: id, removals, broken, sides };
}

/** The commits of a pull request, as the event of a run names them. */
interface PullCommits {
  /** The newest commit of the pull request. */
  readonly headCommit: string | undefined;
  /** The newest commit of its base branch when the event happened. */
  readonly baseCommit: string | undefined;
}

/**
 * The base that the checkout of a pull request has to be compared with. The checkout is either the newest commit of the
 * pull request, or a merge of it with a base branch that may have moved since the event. Any other checkout is refused:
 * compared with the base, it would show nothing, or something else than the pull request. GitHub checks out the base
 * for pull_request_target. Source: docs.github.com, "Events that trigger workflows".
 */
export async function baseOfCheckout(
  files: Pick<FileReader, 'openCommit'>,
  { headCommit, baseCommit }: PullCommits,
): Promise<string | undefined> {
  if (headCommit === undefined) return baseCommit;
  const checkout = await openLastCommit(files);
  if (checkout === undefined || checkout.id === headCommit) return baseCommit;
  const parents = await checkout.parents();
  if (parents.includes(headCommit)) return parents.find((it) => it !== headCommit) ?? baseCommit;
  throw new OperationRefused({ kind: 'not-the-pull-request', checkout: checkout.id, head: headCommit });
}

const isCurrent = (tree: Inspection | RefusedTree): boolean =>
  tree.kind === 'possible' &&
  tree.placements.length + tree.removals.length === 0 &&
  tree.changedRecords.length === 0 &&
  !tree.lockChanged;

/** The number of hexadecimal characters: 128 bits, so that an attacker cannot find two plans with one id. */
const LENGTH = 32;

/**
 * Identifies the content that a plan writes: each file that it adds, changes or removes, with its new text, and the
 * lock before and after. The id contains no branch, commit or run: the merged plan has the id of the reviewed one,
 * unless the topology, the lock or the bundles have changed meanwhile.
 */
async function planId({ fleet, files, lock }: Plan, { bundle }: Pick<Compiled, 'bundle'>): Promise<string> {
  const lines = [JSON.stringify([fleet, lock.before, lock.after])];
  for (const { path, change } of files) {
    const text = bundle.get(path);
    lines.push(JSON.stringify([path, change, text === undefined ? null : await digestOf(text)]));
  }
  return (await digestOf(lines.join('\n'))).slice(0, LENGTH);
}

/** The repository of pull requests, and the token for its forge. Either may be unknown: a check needs neither. */
export interface ForgeRequest {
  readonly repository: Repository | null;
  readonly token: string | undefined;
}

/** Connects a use case to the forge. */
export type Connect = (at: { readonly repository: Repository; readonly token: string }) => Promise<Forge>;

type ForgeAccess =
  | { readonly kind: 'connected'; readonly forge: Forge }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export async function connectToForge(connect: Connect, { repository, token }: ForgeRequest): Promise<ForgeAccess> {
  if (repository === null) return { kind: 'refused', refusal: { kind: 'no-repository' } };
  if (token === undefined) return { kind: 'refused', refusal: { kind: 'no-token' } };
  return { kind: 'connected', forge: await connect({ repository, token }) };
}

type Planned = Pick<PlannedPullRequest, 'plan' | 'planId'>;

export interface CommentRequest extends ForgeRequest, CommentParts {
  /** The number of the pull request; `null` if it is unknown. */
  readonly pull: number | null;
  /** True when its commits come from another repository: then the token of the run is read-only. */
  readonly isFromFork: boolean;
  /** The login of the commenter, if known. */
  readonly author: string | undefined;
  readonly owner: PlanOwner;
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

import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Compiled } from '../../compile.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import type { Removal } from '../../plan/removal-guard.ts';
import type { Inspection, RefusedTree } from '../disk/tree/inspect-tree.ts';
import { digestOf } from '../forge/edits.ts';
import type { Forge, Repository } from '../forge/forge.ts';
import { treeRequest } from './compile-fleet.ts';
import type { CompiledTopology, ReadyTopology } from './compile-topology.ts';
import { type PlannedSides, type PlanRequest, planFleet } from './plan-fleet.ts';
import type { FileReader, Ports } from './ports.ts';
import { type Base, openLastCommit } from './read-base.ts';
import { OperationRefused, type Refusal } from './refusal.ts';

export type PullRequestPlan = Exclude<CompiledTopology, ReadyTopology> | PlannedPullRequest;

/** The plan of a topology without errors. The lock was decided in memory; nothing is written. */
export interface PlannedPullRequest {
  readonly kind: 'planned';
  readonly topology: ReadyTopology;
  /** The folder of the bundles. */
  readonly out: string;
  /** The base of the plan. */
  readonly base: Base;
  /** The changes that `weft compile` would make on this disk, or the reasons why it would refuse. */
  readonly tree: Inspection | RefusedTree;
  /** True when `weft compile` would change nothing. */
  readonly isCurrent: boolean;
  readonly plan: Plan;
  /** Identifies the content that the plan writes. */
  readonly planId: string;
  /** Removals that exceed the limit of the request. */
  readonly removals: readonly Removal[];
  /** Errors for which `weft compile` writes nothing; see `PlannedFleet`. */
  readonly broken: readonly Diagnostic[];
  readonly sides: PlannedSides;
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

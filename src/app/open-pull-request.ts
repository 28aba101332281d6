import type { Checkout } from '../disk/checkout.ts';
import { digestOf } from '../github/blob-id.ts';
import type { Forge } from '../github/forge.ts';
import { type Proposed, proposeManifests } from '../github/propose-manifests.ts';
import { pullText } from '../github/pull-text.ts';
import { type Connect, connectToForge, type ForgeRequest } from './connect-to-forge.ts';
import { emptiedClusters } from './emptied-clusters.ts';
import type { PlannedPullRequest } from './plan-pull-request.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';
import { inputsOf, wantedTree } from './wanted-tree.ts';

interface OpenRequest extends ForgeRequest {
  /** Whether the pull request goes to another repository than that of the topology. */
  readonly isElsewhere: boolean;
  /** The pull request that edits the topology, when there is one. */
  readonly editedIn: EditingPull | null;
  /** The branch that was pushed to. */
  readonly pushedBranch: string | undefined;
  /** The branch to merge into, and the one to push to, if the user names them. */
  readonly into: string | undefined;
  readonly branch: string | undefined;
  /** Start the branch over; commits of others on it are lost. */
  readonly force: boolean;
  readonly allowDestroy: boolean;
}

/** A pull request that edits the topology. */
export interface EditingPull {
  readonly number: number;
  /** Where its commits come from. */
  readonly branch: string | undefined;
  /** Its commits come from another repository, so the token of the run is read-only. */
  readonly isFromFork: boolean;
}

export type OpenResult =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** A pull request from a fork gets no manifests. */
  | { readonly kind: 'from-fork' }
  | { readonly kind: 'done'; readonly base: string; readonly branch: string; readonly proposed: Proposed };

interface OpenPorts {
  readonly files: FileReader;
  readonly checkout: Checkout;
  readonly connect: Connect;
}

/** Keeps one pull request with the manifests and the lock: opens, refreshes or closes it. */
export async function openPullRequest(
  ports: OpenPorts,
  planned: PlannedPullRequest,
  request: OpenRequest,
): Promise<OpenResult> {
  const { isElsewhere, editedIn } = request;
  if (editedIn?.isFromFork && !isElsewhere) return { kind: 'from-fork' };
  const refusal = (await wouldDestroy(ports.files, planned, request)) ?? lockIsStale(planned, request);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const access = connectToForge(ports.connect, request);
  if (access.kind === 'refused') return access;
  const base = request.into ?? (await defaultBase(access.forge, request));
  const branch = request.branch ?? defaultBranch(planned.plan.fleet, request);
  if (branch === base) return { kind: 'refused', refusal: { kind: 'branch-is-base', branch } };
  const { topology, plan } = planned;
  const proposed = await proposeManifests(access.forge, {
    ...pullText(plan, plan.fleet, topology.files.topology),
    base,
    branch,
    wanted: wantedTree(planned, ports.checkout, isElsewhere),
    inputs: isElsewhere ? new Map() : await inputsOf(topology.files, ports.checkout),
    digest: await digestOf(topology.sources.topology.text),
    force: request.force,
  });
  return { kind: 'done', base, branch, proposed };
}

/** The branch that was pushed to, or that of the pull request which edits the topology; else the repository's default. */
async function defaultBase(forge: Forge, { editedIn, pushedBranch, isElsewhere }: OpenRequest): Promise<string> {
  const here = isElsewhere ? undefined : (editedIn?.branch ?? pushedBranch);
  return here ?? forge.defaultBranch();
}

/** Each pull request that edits the topology has its own manifests. */
const defaultBranch = (fleet: string, { editedIn, isElsewhere }: OpenRequest): string =>
  editedIn === null || isElsewhere ? `weft/${fleet}` : `weft/${fleet}-pr-${editedIn.number}`;

/** As `weft compile` refuses, and as `weft plan` does. */
async function wouldDestroy(
  files: FileReader,
  { removals, topology, out }: PlannedPullRequest,
  { allowDestroy }: OpenRequest,
): Promise<Refusal | undefined> {
  if (allowDestroy) return undefined;
  const [cluster] = await emptiedClusters(files, topology.compiled, { out, only: null });
  if (cluster !== undefined) return { kind: 'cluster-would-lose-peers', cluster };
  return removals.length === 0 ? undefined : { kind: 'too-much-would-be-removed', removals };
}

/** The lock stays beside the topology, so it must be current if the manifests go to another repository. */
const lockIsStale = ({ tree, topology }: PlannedPullRequest, { isElsewhere }: OpenRequest): Refusal | undefined =>
  isElsewhere && tree.lockChanged ? { kind: 'lock-is-stale', lock: topology.files.lock } : undefined;

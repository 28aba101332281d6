import type { Checkout } from '../disk/repository.ts';
import { digestOf } from '../forge/edits.ts';
import { type Forge, type ForgeWords, isSameRepository, type Repository } from '../forge/forge.ts';
import type { PullDetails } from '../forge/markdown-text.ts';
import { closeProposal, type Proposed, proposeManifests } from '../forge/propose-manifests.ts';
import { type PullWording, pullText } from '../forge/pull-text.ts';
import { emptiedClusters } from './losses.ts';
import {
  type CollectedFile,
  collectedFiles,
  type EditingPull,
  inputsOf,
  isOtherTopology,
  manifestsBranch,
  type Origin,
  originBranch,
  topologySource,
  type WantedPlan,
  wantedTree,
} from './manifests.ts';
import { type Connect, connectToForge, type ForgeRequest, type PlannedPullRequest } from './plan-pull-request.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';
import { topologyText } from './topology-files.ts';

interface OpenRequest extends ForgeRequest {
  /** The repository of the topology; `null` if it is unknown: then it is assumed to be the one of the pull request. */
  readonly home: Repository | null;
  readonly origin: Origin;
  /** The target branch and the pushed branch, if the user names them. */
  readonly into: string | undefined;
  readonly branch: string | undefined;
  /** True to start the branch over; commits of others on it are lost. */
  readonly force: boolean;
  readonly allowDestroy: boolean;
  readonly settings: PullSettings;
  readonly words: ForgeWords;
  /** The files of the next state of a change, which this run has put in place; empty for other pull requests. */
  readonly staged: readonly string[];
}

export type OpenResult =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** A run that needs no pull request. */
  | { readonly kind: 'none'; readonly why: NoPullRequest }
  | { readonly kind: 'done'; readonly base: string; readonly branch: string; readonly proposed: FinishedProposal };

export type NoPullRequest =
  /** The pull request that edits the topology is from a fork, so the token of the run is read-only. */
  | 'from-fork'
  /** The run tests a candidate of a merge queue. */
  | 'merge-queue'
  /** The run is on a branch of weft, which already has a pull request. */
  | 'own-branch';

type FinishedProposal = Exclude<Proposed, { kind: RefusedProposal }>;

type RefusedProposal = 'blocked' | 'other-base' | 'other-topology';

interface PullRequestPorts {
  readonly files: FileReader;
  readonly checkout: Checkout;
  readonly connect: Connect;
}

/** Keeps one pull request with the manifests and the lock: opens, updates or closes it. */
export async function openPullRequest(
  ports: PullRequestPorts,
  planned: PlannedPullRequest,
  request: OpenRequest,
): Promise<OpenResult> {
  const { origin, home, repository } = request;
  const why = noPullRequest(request);
  if (why !== undefined) return { kind: 'none', why };
  const { tree } = planned;
  if (tree.kind === 'refused')
    return { kind: 'refused', refusal: { kind: 'bundles-blocked', problems: tree.problems } };
  const destroys = await wouldDestroy(ports.files, planned, request);
  if (destroys !== undefined) return { kind: 'refused', refusal: destroys };
  if (origin.isFromFork && isHere(home, repository)) return { kind: 'none', why: 'from-fork' };
  const access = await connectToForge(ports.connect, request);
  if (access.kind === 'refused') return access;
  try {
    return await propose(access.forge, { ports, planned: { ...planned, tree }, request });
  } finally {
    await access.forge.close();
  }
}

interface Sendable {
  readonly ports: PullRequestPorts;
  /** A plan whose bundles can be written. */
  readonly planned: PlannedPullRequest & Pick<WantedPlan, 'tree'>;
  readonly request: OpenRequest;
}

async function propose(forge: Forge, { ports, planned, request }: Sendable): Promise<OpenResult> {
  const { origin, home } = request;
  // Names can be compared only now, because a user or a job that runs again may name the repository by an earlier name.
  const isElsewhere = !isHere(home, forge.repository) && !isHere(home, request.repository);
  if (origin.isFromFork && !isElsewhere) return { kind: 'none', why: 'from-fork' };
  const collected = await collectedFiles(ports.files, ports.checkout, [
    ...new Set([planned.topology.files.keys, planned.topology.files.identities, ...request.staged]),
  ]);
  const stale = lockIsStale(planned, isElsewhere) ?? collectedStays(isElsewhere ? collected : []);
  if (stale !== undefined) return { kind: 'refused', refusal: stale };
  const { topology, plan } = planned;
  const base = request.into ?? (isElsewhere ? undefined : originBranch(origin)) ?? forge.defaultBranch;
  const branch =
    request.branch ?? manifestsBranch(plan.fleet, origin, { base, defaultBranch: forge.defaultBranch, isElsewhere });
  if (branch === base) return { kind: 'refused', refusal: { kind: 'branch-is-base', branch } };
  if (origin.pull?.isClosed) return closeFollowing(forge, { planned, request, base, branch }, origin.pull);
  const from = isElsewhere ? home : null;
  const proposed = await proposeManifests(forge, {
    ...request.settings,
    ...pullText({ ...planned, words: request.words }, topology.files.topology, request.settings),
    base,
    branch,
    wanted: wantedTree(planned, ports.checkout, { isElsewhere, collected }),
    inputs: isElsewhere ? new Map() : await inputsOf(topology.files, ports.checkout, collected),
    digest: await digestOf(topologyText(topology.sources)),
    source: topologySource(topology.files.topology, ports.checkout, from),
    isOtherTopology: (source) => isOtherTopology(source, ports.checkout, from),
    force: request.force,
  });
  return finished(proposed, { base, branch, fleet: plan.fleet });
}

interface Following extends Pick<Sendable, 'planned' | 'request'> {
  readonly base: string;
  readonly branch: string;
}

/** Closes the pull request with the manifests of one that is closed. */
async function closeFollowing(
  forge: Forge,
  { planned, request, base, branch }: Following,
  { number }: EditingPull,
): Promise<OpenResult> {
  const { deletesBranch } = request.settings;
  const { closingComment } = pullText(
    { ...planned, words: request.words },
    planned.topology.files.topology,
    request.settings,
    number,
  );
  const head = await forge.headOf(base);
  const done = await closeProposal(forge, { base: { branch: base, head }, branch, closingComment, deletesBranch });
  return { kind: 'done', base, branch, proposed: { kind: 'pull-closed', number, ...done } };
}

/** True when pull requests go to the repository of the topology. */
const isHere = (home: Repository | null, repository: Repository | null): boolean =>
  home === null || (repository !== null && isSameRepository(home, repository));

/**
 * The reason why a run opens no pull request: its commit is not one on which a pull request can be based. For a branch
 * of weft the user can override this by naming the target branch.
 */
function noPullRequest({ origin, into }: OpenRequest): NoPullRequest | undefined {
  if (origin.isInMergeQueue) return 'merge-queue';
  // Pull requests into a branch of weft would end in a chain of them.
  return into === undefined && originBranch(origin)?.startsWith('weft/') ? 'own-branch' : undefined;
}

interface Target {
  readonly base: string;
  readonly branch: string;
  readonly fleet: string;
}

function finished(proposed: Proposed, { base, branch, fleet }: Target): OpenResult {
  switch (proposed.kind) {
    case 'other-base': {
      const { number, base: into } = proposed.pull;
      return { kind: 'refused', refusal: { kind: 'branch-of-other-base', branch, base, pull: number, into } };
    }
    case 'other-topology': {
      const { source } = proposed;
      return { kind: 'refused', refusal: { kind: 'branch-of-other-topology', branch, fleet, source } };
    }
    case 'blocked':
      return { kind: 'refused', refusal: { kind: 'links-in-the-way', base, paths: proposed.paths } };
    default:
      return { kind: 'done', base, branch, proposed };
  }
}

/** Refuses destructive changes, like `weft compile` and `weft plan`. */
async function wouldDestroy(
  files: FileReader,
  { removals, topology, out }: PlannedPullRequest,
  { allowDestroy }: OpenRequest,
): Promise<Refusal | undefined> {
  if (allowDestroy) return undefined;
  const [cluster] = await emptiedClusters(files, topology.compiled, { out, only: null });
  if (cluster !== undefined) return { kind: 'cluster-would-lose-peers', cluster };
  return removals.length === 0 ? undefined : { kind: 'too-much-would-be-removed', removals, undone: 'sent' };
}

/**
 * Refuses an uncommitted file when the manifests go to another repository: it stays beside the topology, and without it
 * the next run would remove again what was compiled from it.
 */
const collectedStays = ([first]: readonly CollectedFile[]): Refusal | undefined =>
  first && { kind: 'collected-not-committed', file: first.path };

/** Refuses a stale lock when the manifests go to another repository, because the lock stays beside the topology. */
const lockIsStale = ({ tree, topology }: WantedPlan, isElsewhere: boolean): Refusal | undefined =>
  isElsewhere && tree.lockChanged ? { kind: 'lock-is-stale', lock: topology.files.lock } : undefined;

/** The user's settings for the pull request with the manifests. */
export interface PullSettings extends PullWording {
  /** True to open it as a draft. */
  readonly isDraft: boolean;
  readonly details: PullDetails;
  /** True when commits end with a sign-off of the owner of the token. */
  readonly signsOff: boolean;
}

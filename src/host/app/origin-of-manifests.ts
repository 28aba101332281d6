import type { Checkout } from '../disk/checkout.ts';
import { nameOf, type Repository } from '../forge/forge.ts';
import type { PlanOwner } from '../forge/pull-text.ts';

/** The event that started the run: a pull request, a pushed branch, a merge queue, or none of them. */
export interface Origin {
  /** The pull request that edits the topology; `null` without one. */
  readonly pull: EditingPull | null;
  /** The branch that was pushed to; `undefined` for a pull request or a tag. */
  readonly pushedBranch: string | undefined;
  /** True when `pull` comes from another repository, so that the token of the run is read-only. */
  readonly isFromFork: boolean;
  readonly isInMergeQueue: boolean;
}

/** A pull request that edits the topology. */
export interface EditingPull {
  readonly number: number;
  /** The branch of its commits. */
  readonly branch: string | undefined;
}

interface BranchTarget {
  readonly base: string;
  readonly defaultBranch: string;
  /** True when the manifests go to another repository than that of the topology. */
  readonly isElsewhere: boolean;
}

/** The branch whose topology was compiled, if the run belongs to one. */
export const originBranch = ({ pull, pushedBranch }: Origin): string | undefined => pull?.branch ?? pushedBranch;

/**
 * The branch for the manifests of a fleet: a different one for each base, for each pull request that edits the
 * topology, and for each branch of a topology in another repository. So a run never changes the pull request of another
 * run.
 */
export function manifestsBranch(
  fleet: string,
  origin: Origin,
  { base, defaultBranch, isElsewhere }: BranchTarget,
): string {
  if (origin.pull !== null) return `weft/${fleet}-pr-${origin.pull.number}`;
  const from =
    isElsewhere && origin.pushedBranch !== undefined && origin.pushedBranch !== base ? origin.pushedBranch : '';
  const into = base === defaultBranch ? '' : base;
  // A slash would create a folder of refs, which git does not allow beside a branch of that name.
  const part = (word: string, name: string): string => (name === '' ? '' : `-${word}-${name.replaceAll('/', '-')}`);
  return `weft/${fleet}${part('from', from)}${part('into', into)}`;
}

/**
 * Identifies the topology of some manifests: its path in the repository, with the prefix `owner/name:` if the manifests
 * are in another repository.
 */
export function topologySource(path: string, checkout: Checkout, from: Repository | null): string {
  const inRepository = checkout.pathInRepository(path) ?? path;
  return from === null ? inRepository : `${nameOf(from)}:${inRepository}`;
}

/** The owner of a comment with a plan, which is on a pull request of the topology's repository. */
export const planOwner = (fleet: string, path: string, checkout: Checkout): PlanOwner => ({
  id: fleet,
  source: topologySource(path, checkout, null),
  isOtherTopology: (source) => isOtherTopology(source, checkout, null),
});

/** True when a source that differs from that of this run still exists. Otherwise the file was renamed. */
export function isOtherTopology(source: string, checkout: Checkout, from: Repository | null): boolean {
  const prefix = from === null ? '' : `${nameOf(from)}:`;
  return !source.startsWith(prefix) || checkout.hasFile(source.slice(prefix.length));
}

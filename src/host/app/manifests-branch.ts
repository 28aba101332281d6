/** What the run belongs to: a pull request, a pushed branch, a merge queue, or none of them. */
export interface Origin {
  /** The pull request that edits the topology, when there is one. */
  readonly pull: EditingPull | null;
  /** The branch that was pushed to; `undefined` for a pull request or a tag. */
  readonly pushedBranch: string | undefined;
  /** Whether `pull` comes from another repository, so that the token of the run is read-only. */
  readonly isFromFork: boolean;
  readonly isInMergeQueue: boolean;
}

/** A pull request that edits the topology. */
export interface EditingPull {
  readonly number: number;
  /** Where its commits come from. */
  readonly branch: string | undefined;
}

interface Destination {
  readonly base: string;
  readonly defaultBranch: string;
  /** Whether that is another repository than the one of the topology. */
  readonly isElsewhere: boolean;
}

/** The branch whose topology was compiled, if the run belongs to one. */
export const originBranch = ({ pull, pushedBranch }: Origin): string | undefined => pull?.branch ?? pushedBranch;

/**
 * The branch for the manifests of a fleet: another one for each base, for each pull request that edits the topology, and for
 * each branch of a topology in another repository. So a run never changes the pull request of another run.
 */
export function manifestsBranch(
  fleet: string,
  origin: Origin,
  { base, defaultBranch, isElsewhere }: Destination,
): string {
  if (origin.pull !== null) return `weft/${fleet}-pr-${origin.pull.number}`;
  const from =
    isElsewhere && origin.pushedBranch !== undefined && origin.pushedBranch !== base ? origin.pushedBranch : '';
  const into = base === defaultBranch ? '' : base;
  // A slash would make a folder of refs, which git does not allow beside a branch of that name.
  const part = (word: string, name: string): string => (name === '' ? '' : `-${word}-${name.replaceAll('/', '-')}`);
  return `weft/${fleet}${part('from', from)}${part('into', into)}`;
}

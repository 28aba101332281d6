import { isWeftCommit, pendingCommits } from './commits-of-weft.ts';
import type { Forge, Pull } from './forge.ts';
import { upsertComment } from './upsert-comment.ts';

interface FinishedBranch {
  /** The branch that has all changes, with its newest commit. */
  readonly base: { readonly branch: string; readonly head: string };
  readonly branch: string;
  readonly closingComment: string;
  readonly deletesBranch: boolean;
}

export interface ClosedProposal {
  readonly closed: readonly Pull[];
  readonly branch: BranchAfterwards;
}

export type BranchAfterwards =
  /** Its deletion was not requested, or there is no branch. */
  | 'untouched'
  | 'deleted'
  /** It has unmerged commits that weft did not make. */
  | 'has-other-commits'
  /** Another pull request merges it into another branch. */
  | 'has-other-pull';

/** Closes the pull requests of a proposal whose files base has, and deletes its branch on request. */
export async function closeProposal(forge: Forge, finished: FinishedBranch): Promise<ClosedProposal> {
  const closed = await closePulls(forge, finished);
  return { closed, branch: finished.deletesBranch ? await deleteBranch(forge, finished) : 'untouched' };
}

async function closePulls(forge: Forge, { branch, base, closingComment }: FinishedBranch): Promise<readonly Pull[]> {
  const open = (await forge.openPulls(branch)).filter((it) => it.base === base.branch);
  for (const { number } of open) {
    await forge.updatePull(number, { state: 'closed' });
    const marker = '<!-- weft:closed -->';
    await upsertComment(forge, { pull: number, marker, isMarker: (line) => line === marker, body: closingComment });
  }
  return open;
}

async function deleteBranch(forge: Forge, { branch, base }: FinishedBranch): Promise<BranchAfterwards> {
  const head = await forge.headOf(branch);
  if (head === null) return 'untouched';
  if ((await forge.openPulls(branch)).length > 0) return 'has-other-pull';
  const compared = await forge.compare(base.head, head);
  const { commits } = pendingCommits(compared, await forge.mergedHeads(branch, base.branch));
  if (!commits.every(isWeftCommit)) return 'has-other-commits';
  // Not every forge compares the head when it deletes a branch, so weft compares it right before.
  if ((await forge.headOf(branch)) !== head) return 'has-other-commits';
  return (await forge.deleteBranch(branch, head)) === 'deleted' ? 'deleted' : 'has-other-commits';
}

import type { ForgeContent } from '../forge/forge.ts';
import type { GitRemote } from './git-remote.ts';
import { requireBranchName } from './read-commits.ts';

type BranchWriter = Pick<ForgeContent, 'createBranch' | 'moveBranch' | 'deleteBranch'>;

/**
 * Branches of the server, which change only from the head that weft has seen: git sends it along, and the server compares. So a
 * push can be repeated, and no commit of others is lost. Source: git, Documentation/git-push.txt, `--force-with-lease`.
 */
export function pushBranches(git: GitRemote, headOf: ForgeContent['headOf']): BranchWriter {
  const { try: run, remote } = git;
  return {
    createBranch: async (branch, commit) => {
      const operation = `create the branch ${branch} in ${remote.name}`;
      if (await push(git, operation, { branch, from: '', to: commit })) return 'created';
      return (await headOf(branch)) === commit ? 'created' : 'exists';
    },
    moveBranch: async (branch, { from, to, force }) => {
      if (!force && !(await run(['merge-base', '--is-ancestor', from, to])).ok) return 'not-a-fast-forward';
      if (await push(git, `push to the branch ${branch} of ${remote.name}`, { branch, from, to })) return 'moved';
      const head = await headOf(branch);
      return head === to ? 'moved' : head === null ? 'missing' : 'not-a-fast-forward';
    },
    deleteBranch: async (branch, head) => {
      const operation = `delete the branch ${branch} of ${remote.name}`;
      if (await push(git, operation, { branch, from: head, to: '' })) return 'deleted';
      return (await headOf(branch)) === null ? 'deleted' : 'moved';
    },
  };
}

interface Push {
  readonly branch: string;
  /** The head that the branch has; empty for no branch. */
  readonly from: string;
  readonly to: string;
}

/** Whether the branch was as expected. */
async function push(git: GitRemote, operation: string, { branch, from, to }: Push): Promise<boolean> {
  await requireBranchName(git, branch);
  const ref = `refs/heads/${branch}`;
  // Without deltas to objects that are not here: git would fetch them.
  const how = ['--porcelain', '--no-thin', '--no-verify', '--no-signed', '--recurse-submodules=no'];
  const args = ['push', ...how, `--force-with-lease=${ref}:${from}`, 'origin', `${to}:${ref}`];
  const answer = await git.talk(operation, args, (it) => hasMoved(`${it.stdout}\n${it.stderr}`));
  return answer.ok;
}

/** The branch had another head, before the push or during it. Source: git, transport.c; receive-pack.c. */
const hasMoved = (told: string): boolean =>
  /\[(?:remote )?rejected\] \((?:stale info|cannot lock ref|reference already exists|failed to update ref|fetch first|non-fast-forward|remote ref does not exist|incorrect old value provided)/.test(
    told,
  ) || /unable to delete '.*': remote ref does not exist/.test(told);

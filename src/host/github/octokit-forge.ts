import type { Forge } from '../forge/forge.ts';
import { askGitHub, type GitHubAccess } from './ask-github.ts';
import { comments } from './comments.ts';
import { labelsAndAssignees } from './labels-and-assignees.ts';
import { pullRequests } from './pull-requests.ts';
import { readRepository } from './read-repository.ts';
import { writeCommits } from './write-commits.ts';

/** What GitHub reports about a repository once. */
interface KnownRepository {
  readonly defaultBranch: string;
}

/** GitHub behind `Forge`. Every failure is thrown as a `ForgeError` with a hint. `access` names the repository by its present name. */
export function octokitForge(access: GitHubAccess, { defaultBranch }: KnownRepository): Forge {
  const github = askGitHub(access);
  const reader = readRepository(github);
  return {
    repository: access.repository,
    defaultBranch,
    ...reader,
    ...writeCommits(github, reader.headOf),
    ...pullRequests(github),
    ...labelsAndAssignees(github),
    ...comments(github),
    // It keeps nothing here.
    close: async () => {},
  };
}

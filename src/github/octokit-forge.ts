import { askGitHub, type GitHubAccess } from './ask-github.ts';
import { comments } from './comments.ts';
import type { Forge } from './forge.ts';
import { pullRequests } from './pull-requests.ts';
import { readRepository } from './read-repository.ts';
import { writeCommits } from './write-commits.ts';

/** GitHub behind `Forge`. Every failure is thrown as a `ForgeError` with a hint. */
export function octokitForge(access: GitHubAccess): Forge {
  const github = askGitHub(access);
  const reader = readRepository(github);
  return {
    repository: access.repository,
    ...reader,
    ...writeCommits(github, reader.headOf),
    ...pullRequests(github),
    ...comments(github),
  };
}

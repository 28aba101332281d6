import type { Octokit } from '@octokit/rest';
import { nameOf, type Repository } from '../forge/forge.ts';
import { ForgeError } from '../forge/forge-error.ts';
import { type AskForge, askForge } from '../http/ask-forge.ts';
import type { Clock, Waiting } from '../http/clock.ts';
import { refusedRequest } from '../http/explain-by.ts';
import { explainFailure } from './explain-failure.ts';
import { readFailure } from './retry.ts';

export interface GitHubAccess extends Waiting {
  readonly octokit: Octokit;
  readonly repository: Repository;
}

/** How every part of the forge makes its requests. */
export interface GitHub extends AskForge {
  readonly octokit: Octokit;
  readonly repository: Repository;
  /** `owner/name`, as messages show it. */
  readonly name: string;
  /** The repository as parameters of every request. */
  readonly at: { readonly owner: string; readonly repo: string };
}

/** Entries or comments in one response: the maximum of GitHub. */
export const PER_PAGE = 100;
export function askGitHub(access: GitHubAccess): GitHub {
  const { octokit, repository, clock, notify } = access;
  return {
    octokit,
    repository,
    name: nameOf(repository),
    at: { owner: repository.owner, repo: repository.name },
    ...askForge({
      forge: 'GitHub',
      clock,
      notify,
      forgeErrorOf: (error, operation) => forgeErrorOf(error, operation, clock),
    }),
  };
}

/** An error of octokit as an error with a hint. Any other error is a bug and is thrown unchanged. */
function forgeErrorOf(error: unknown, operation: string, clock: Clock): ForgeError {
  if (error instanceof ForgeError) return error;
  const failed = readFailure(error);
  if (failed === undefined) throw error;
  return explainFailure(refusedRequest(failed, operation, clock));
}

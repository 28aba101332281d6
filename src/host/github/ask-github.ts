import type { Octokit } from '@octokit/rest';
import { nameOf, type Repository } from '../forge/forge.ts';
import { ForgeError } from '../forge/forge-error.ts';
import { type ForgeWords, GITHUB_TERMS } from '../forge/forge-words.ts';
import { type AskForge, askForge } from '../http/ask-forge.ts';
import type { Clock, Waiting } from '../http/clock.ts';
import {
  explainBy,
  type FailureRow,
  type RefusedRequest,
  refusedRequest,
  rowsWithoutAnswer,
} from '../http/explain-by.ts';
import { readFailure } from './retry.ts';

export interface GitHubAccess extends Waiting {
  readonly octokit: Octokit;
  readonly repository: Repository;
}

/** The functions for requests of all parts of the forge. */
export interface GitHub extends AskForge {
  readonly octokit: Octokit;
  readonly repository: Repository;
  /** The repository in messages: `owner/name`. */
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

/**
 * Patterns for messages; the first match is used. Source: GitHub's REST reference, and the issues of
 * peter-evans/create-pull-request (#1175, #2912), changesets/action (#550), marocchino/sticky-pull-request-comment
 * (#227).
 */
const ROWS: readonly FailureRow[] = [
  ...rowsWithoutAnswer('GitHub'),
  {
    failure: 'not-signed-in',
    when: (it) => it.status === 401,
    hint: `set a new token in ${GITHUB_TERMS.token}: this one is unknown or has expired`,
  },
  {
    failure: 'pulls-not-permitted',
    when: (it) => /not permitted to create/i.test(it.reason),
    hint: 'allow it in the settings of the repository (Actions, General, "Allow GitHub Actions to create and approve pull requests"), or give the token of a GitHub App',
  },
  {
    failure: 'not-permitted',
    when: (it) => /Resource not accessible by integration/i.test(it.reason),
    hint: 'give the job `permissions:` with `contents: write` to push and `pull-requests: write` to comment or to open; for pull requests from forks and of Dependabot the token is always read-only',
  },
  {
    failure: 'not-permitted',
    when: (it) => /Resource not accessible by personal access token|Must have admin rights/i.test(it.reason),
    hint: 'give the token access to this repository, with the permissions "Contents: write" to push and "Pull requests: write" to comment or to open',
  },
  {
    failure: 'protected',
    when: (it) => /protected.branch|rule violations|ruleset/i.test(it.reason),
    hint: 'exempt weft/* from the rule of the repository that protects this branch, or choose another branch with --branch',
  },
  {
    failure: 'refused',
    when: (it) => /draft pull requests are not supported/i.test(it.reason),
    hint: 'leave out --draft: private repositories have drafts only in some plans of GitHub',
  },
  {
    failure: 'not-permitted',
    when: (it) => it.status === 403,
    hint: 'check the permissions of the token',
  },
  {
    failure: 'not-permitted',
    when: (it) => it.status === 404 && it.isWrite === true,
    hint: 'give the token the permissions "Contents: write" to push and "Pull requests: write" to comment or to open: GitHub reports what a token may not change as missing',
  },
  {
    failure: 'not-found',
    when: (it) => it.status === 404,
    hint: 'check the name, and give the token access to the repository: GitHub reports what a token may not see as missing',
  },
  {
    failure: 'empty',
    when: (it) => it.status === 409 && /empty/i.test(it.reason),
    hint: 'push a first commit and run it again',
  },
  {
    failure: 'too-large',
    when: (it) => it.status === 413 || /input was too large/i.test(it.reason),
    hint: 'reduce the size of the file: a single file is too large for GitHub',
  },
];

/** GitHub's response as an error that says what to do. */
export const explainFailure = (it: RefusedRequest): ForgeError => explainBy(ROWS, { ...it, reason: reasonOf(it) });

/** The reason without GitHub's "Not Found", which is also the answer without access. */
function reasonOf({ reason, status, isWrite }: RefusedRequest): string {
  if (status === 404) return `it does not exist, or the token may not ${isWrite ? 'change' : 'see'} it`;
  // GitHub appends a link to its documentation; the hint replaces it.
  return reason.replace(/ - https:\/\/docs\.github\.com\S*$/, '');
}

export const GITHUB_WORDS: ForgeWords = {
  ...GITHUB_TERMS,
  checksNote:
    ' If checks do not start, GitHub Actions has opened this pull request with its own token: close and reopen it, or give weft the token of a GitHub App.',
  labelsHint: 'add them by hand, and give the token the permission "Pull requests: write"',
  teamsHint: 'request it by hand: the token of a job cannot name teams, and a GitHub App needs "Members: read"',
};

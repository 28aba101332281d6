import type { Octokit } from '@octokit/rest';
import { ForgeError, type ForgeWords, GITHUB_TERMS, nameOf, type Repository } from '../forge/forge.ts';
import {
  type AskForge,
  askForge,
  explainBy,
  type FailureRow,
  type RefusedRequest,
  refusedRequest,
  rowsWithoutAnswer,
} from '../http/ask-forge.ts';
import { type Clock, type FailedRequest, MAX_ATTEMPTS, type Waiting, withRetries } from '../http/retries.ts';

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

/** GitHub recommends one write at a time, a second apart. Source: GitHub, best practices for the REST API. */
const WRITE_PAUSE_MILLISECONDS = 1000;
const MAX_TREE_ATTEMPTS = 2;

interface Request {
  readonly method: string;
  /** The URL with placeholders such as `{owner}`. */
  readonly url: string;
  /** The entries of a tree. */
  readonly tree?: readonly unknown[];
}

/** Makes octokit wait and retry where that is safe, and write one object after the other. */
export function installRetries(octokit: Octokit, waiting: Waiting): void {
  const serially = serializer(waiting.clock);
  octokit.hook.wrap('request', (request, options) => {
    const attempt = () =>
      withRetries(() => rejectTruncated(request(options)), {
        ...waiting,
        forge: 'GitHub',
        readFailure,
        mayRepeat: mayRepeat(options),
        maxAttempts: (failed) => maxAttempts(failed, options),
      });
    return options.method === 'GET' ? attempt() : serially(attempt);
  });
}

/** Runs writes one by one, each a pause after the previous one. */
function serializer(clock: Clock): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let doneAt = Number.NEGATIVE_INFINITY;
  return (run) => {
    const mine = last.then(async () => {
      const left = doneAt + WRITE_PAUSE_MILLISECONDS - clock.now();
      if (left > 0) await clock.sleep(left);
      try {
        return await run();
      } finally {
        doneAt = clock.now();
      }
    });
    // A failure is reported to its own caller; the next write starts.
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** The number of attempts: fewer for a tree, which is split if it is too large. */
const maxAttempts = ({ status }: FailedRequest, { url, tree }: Request): number =>
  status >= 500 && url.endsWith('/git/trees') && (tree?.length ?? 0) > 1 ? MAX_TREE_ATTEMPTS : MAX_ATTEMPTS;

/**
 * True for a request that may be repeated after its response was lost: it cannot create a second branch, pull request
 * or comment. Trees, blobs and commits are named by their content, labels and people are listed once, and all other
 * requests set the values that they name.
 */
const mayRepeat = ({ method, url }: Request): boolean =>
  method !== 'POST' || /\/(git\/(trees|blobs|commits)|labels|assignees|requested_reviewers)$/.test(url);

/** Rejects a truncated JSON response, which octokit returns as text. */
async function rejectTruncated<T extends { readonly data: unknown; readonly status: number }>(
  answer: Promise<T> | T,
): Promise<T> {
  const it = await answer;
  if (typeof it.data === 'string' && it.status !== 204) throw new TruncatedResponse();
  return it;
}

/** A truncated response counts as no response. */
class TruncatedResponse extends Error {
  override readonly name = 'TruncatedResponse';
  readonly status = 0;
  constructor() {
    super('the connection broke in the middle of the answer');
  }
}

/** An error of octokit, or of the connection below it; `undefined` for anything else, which is a bug. */
function readFailure(error: unknown): FailedRequest | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  const response = 'response' in error ? error.response : undefined;
  const headers = isJsonObject(response) && isJsonObject(response['headers']) ? response['headers'] : {};
  const request = 'request' in error && isJsonObject(error.request) ? error.request : {};
  const isWrite = request['method'] !== undefined && request['method'] !== 'GET';
  // Without a response, the 500 comes from octokit: there was no answer.
  return { status: response === undefined ? 0 : error.status, message: error.message, headers, isWrite };
}

const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

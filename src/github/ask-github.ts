import type { Octokit } from '@octokit/rest';
import { nameOf, type Repository } from '../forge/forge.ts';
import { ForgeError } from '../forge/forge-error.ts';
import type { Clock, Waiting } from '../http/clock.ts';
import { watchRequest } from '../http/watch-request.ts';
import { explainFailure } from './explain-failure.ts';
import { isUnanswered, limitWait, readFailure } from './retry.ts';

export interface GitHubAccess extends Waiting {
  readonly octokit: Octokit;
  readonly repository: Repository;
}

/** How every part of the forge makes its requests. */
export interface GitHub {
  readonly octokit: Octokit;
  readonly repository: Repository;
  /** `owner/name`, as messages show it. */
  readonly name: string;
  /** The repository as parameters of every request. */
  readonly at: { readonly owner: string; readonly repo: string };
  /** Every failure is thrown as a `ForgeError` with a hint, which names the operation. */
  readonly ask: <T>(operation: string, request: () => Promise<T>, unless?: Answers<T>) => Promise<T>;
  /** Creates something that must not exist twice: after an unanswered request, weft looks it up first. */
  readonly makeOnce: <T>(make: () => Promise<T>, find: () => Promise<T | undefined>) => Promise<T>;
}

/** Responses that are no failure, by status or by words of GitHub. */
type Answers<T> = Readonly<Record<string, T>>;

/** Entries or comments in one response: the maximum of GitHub. */
export const PER_PAGE = 100;
/** Attempts to create an object that is missing after an unanswered request. */
const MAX_ATTEMPTS = 4;
const RETRY_WAIT_MILLISECONDS = 2000;

export function askGitHub(access: GitHubAccess): GitHub {
  const { octokit, repository, clock } = access;
  return {
    octokit,
    repository,
    name: nameOf(repository),
    at: { owner: repository.owner, repo: repository.name },
    ask: async (operation, request, unless = {}) => {
      const stopWatching = watchRequest(access, 'GitHub', operation);
      try {
        return await request();
      } catch (error) {
        const failure = forgeErrorOf(error, operation, clock);
        for (const [words, answer] of Object.entries(unless)) {
          if (words === String(failure.status) || failure.reason.includes(words)) return answer;
        }
        throw failure;
      } finally {
        stopWatching();
      }
    },
    makeOnce: async (make, find) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await make();
        } catch (error) {
          const { failure } = forgeErrorOf(error, '', clock);
          if (failure !== 'unreachable' || attempt >= MAX_ATTEMPTS) throw error;
          await clock.sleep(RETRY_WAIT_MILLISECONDS * attempt);
          const made = await find();
          if (made !== undefined) return made;
        }
      }
    },
  };
}

/** An error of octokit as an error with a hint. Any other error is a bug and is thrown unchanged. */
function forgeErrorOf(error: unknown, operation: string, clock: Clock): ForgeError {
  if (error instanceof ForgeError) return error;
  const failed = readFailure(error);
  if (failed === undefined) throw error;
  const limit = limitWait(failed, 1, clock);
  return explainFailure({
    operation,
    reason: isUnanswered(failed) && failed.message === '' ? 'no answer' : failed.message,
    status: failed.status,
    isWrite: failed.isWrite,
    ...(limit === undefined ? {} : { limitedForSeconds: Math.ceil(limit / 1000) }),
  });
}

import type { Octokit } from '@octokit/rest';
import type { Clock, Waiting } from '../http/clock.ts';

/** Milliseconds. GitHub asks for one write at a time, a second apart. Source: GitHub, best practices for the REST API. */
const WRITE_PAUSE_MILLISECONDS = 1000;
/** The first wait on a limit if GitHub names no time; each further one is twice as long. */
const FIRST_LIMIT_WAIT_MILLISECONDS = 60_000;
const FIRST_FAILURE_WAIT_MILLISECONDS = 1000;
const MAX_FAILURE_WAIT_MILLISECONDS = 30_000;
/** In total for one request: a waiting job costs money, and a failed job can be run again. */
const MAX_WAIT_MILLISECONDS = 15 * 60_000;
const MAX_ATTEMPTS = 6;
const MAX_TREE_ATTEMPTS = 2;
/** A shorter wait is not worth a line. */
const NOTICED_WAIT_MILLISECONDS = 5000;

/** The part of octokit's errors that this module reads. */
interface Failed {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Whether it would have changed something. */
  readonly isWrite: boolean;
}

interface Request {
  readonly method: string;
  /** With placeholders such as `{owner}`. */
  readonly url: string;
  /** The entries of a tree. */
  readonly tree?: readonly unknown[];
}

/** Makes octokit wait and retry where that is safe, and write one object after the other. */
export function installRetries(octokit: Octokit, waiting: Waiting): void {
  const serially = serializer(waiting.clock);
  octokit.hook.wrap('request', (request, options) => {
    const attempt = () => withRetries(() => rejectTruncated(request(options)), options, waiting);
    return options.method === 'GET' ? attempt() : serially(attempt);
  });
}

/** Each write begins a pause after the previous one has ended. */
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

async function withRetries<T>(run: () => Promise<T>, request: Request, { clock, notify }: Waiting): Promise<T> {
  let waited = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const failed = readFailure(error);
      const wait = failed === undefined ? undefined : waitBefore(failed, request, attempt, clock);
      if (failed === undefined || wait === undefined) throw error;
      if (attempt >= maxAttempts(failed, request) || waited + wait > MAX_WAIT_MILLISECONDS) throw error;
      waited += wait;
      if (wait >= NOTICED_WAIT_MILLISECONDS) notify(reasonToWait(failed, attempt, wait, clock));
      await clock.sleep(wait);
    }
  }
}

/** A tree that is too large fails as often as it is sent, so it is soon sent in smaller pieces. */
const maxAttempts = ({ status }: Failed, { url, tree }: Request): number =>
  status >= 500 && url.endsWith('/git/trees') && (tree?.length ?? 0) > 1 ? MAX_TREE_ATTEMPTS : MAX_ATTEMPTS;

function reasonToWait(failed: Failed, attempt: number, wait: number, clock: Clock): string {
  const isLimit = limitWait(failed, attempt, clock) !== undefined;
  const answer = failed.status === 0 ? 'GitHub did not answer' : `GitHub answered ${failed.status}`;
  const why = isLimit ? 'GitHub limits the requests of this token' : answer;
  return `${why}; the next attempt is in ${Math.ceil(wait / 1000)} seconds`;
}

/** Milliseconds before this may be tried again; `undefined` when it may not. */
function waitBefore(failed: Failed, request: Request, attempt: number, clock: Clock): number | undefined {
  const limit = limitWait(failed, attempt, clock);
  // A request that was refused by a limit had no effect.
  if (limit !== undefined) return limit;
  if (!isUnanswered(failed) || !mayRepeat(request)) return undefined;
  return Math.min(FIRST_FAILURE_WAIT_MILLISECONDS * 2 ** (attempt - 1), MAX_FAILURE_WAIT_MILLISECONDS);
}

/**
 * How long a limit of GitHub lasts. Secondary limits come as 403 or 429. Source: GitHub, rate limits for the REST API:
 * retry-after first, then x-ratelimit-reset (seconds since 1970) when nothing remains, else a minute and more each time.
 */
export function limitWait({ status, message, headers }: Failed, attempt: number, clock: Clock): number | undefined {
  const spent = headers['x-ratelimit-remaining'] === '0';
  const isLimit =
    status === 429 || (status === 403 && ('retry-after' in headers || spent || /rate limit|abuse/i.test(message)));
  if (!isLimit) return undefined;
  const after = Number(headers['retry-after']);
  if (after > 0) return after * 1000;
  const reset = Number(headers['x-ratelimit-reset']);
  if (spent && reset > 0) return Math.max(reset * 1000 - clock.now(), 0) + 1000;
  return FIRST_LIMIT_WAIT_MILLISECONDS * 2 ** (attempt - 1);
}

/** No response, an incomplete one, or a server error. Octokit reports a dropped connection as 500. */
export const isUnanswered = ({ status }: Pick<Failed, 'status'>): boolean => status === 0 || status >= 500;

/**
 * A request that may have succeeded although its response was lost is not repeated: it could create a second branch, pull
 * request or comment. Trees, blobs and commits are named by their content, labels and people are listed once, and all other
 * requests set what they name.
 */
const mayRepeat = ({ method, url }: Request): boolean =>
  method !== 'POST' || /\/(git\/(trees|blobs|commits)|labels|assignees|requested_reviewers)$/.test(url);

/** Octokit returns a truncated JSON response as text. */
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
export function readFailure(error: unknown): Failed | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  const response = 'response' in error ? error.response : undefined;
  const headers = isMap(response) && isMap(response['headers']) ? response['headers'] : {};
  const request = 'request' in error && isMap(error.request) ? error.request : {};
  const isWrite = request['method'] !== undefined && request['method'] !== 'GET';
  // Without a response, the 500 comes from octokit: there was no answer.
  return { status: response === undefined ? 0 : error.status, message: error.message, headers, isWrite };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

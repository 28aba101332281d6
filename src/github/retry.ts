import type { Octokit } from '@octokit/rest';
import type { Clock } from './clock.ts';

/** Milliseconds. GitHub asks for one write at a time, a second apart. Source: GitHub, best practices for the REST API. */
const WRITE_PAUSE_MILLISECONDS = 1000;
/** Without other word from GitHub the first wait on a limit; each further one is twice as long. */
const FIRST_LIMIT_WAIT_MILLISECONDS = 60_000;
const FIRST_FAILURE_WAIT_MILLISECONDS = 1000;
const MAX_FAILURE_WAIT_MILLISECONDS = 30_000;
/** In all, for one request: a job that sleeps costs money, and one that fails can be run again. */
const MAX_WAIT_MILLISECONDS = 15 * 60_000;
const MAX_ATTEMPTS = 6;

/** What this module reads of octokit's errors. */
interface Failed {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Request {
  readonly method: string;
  /** With `{owner}` and the like in it. */
  readonly url: string;
}

/** Makes octokit wait and try again where that is safe, and write one thing after the other. */
export function installRetries(octokit: Octokit, clock: Clock): void {
  const serially = serializer(clock);
  octokit.hook.wrap('request', (request, options) => {
    const attempt = () => withRetries(() => rejectTruncated(request(options)), options, clock);
    return options.method === 'GET' ? attempt() : serially(attempt);
  });
}

/** Each write begins when the one before is done, a pause later. */
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
    // A failure is its own caller's; the next in line goes ahead.
    last = mine.catch(() => undefined);
    return mine;
  };
}

async function withRetries<T>(run: () => Promise<T>, request: Request, clock: Clock): Promise<T> {
  let waited = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const failed = readFailure(error);
      const wait = failed === undefined ? undefined : waitBefore(failed, request, attempt, clock);
      if (wait === undefined || attempt >= MAX_ATTEMPTS || waited + wait > MAX_WAIT_MILLISECONDS) throw error;
      waited += wait;
      await clock.sleep(wait);
    }
  }
}

/** Milliseconds before this may be tried again; `undefined` when it may not. */
function waitBefore(failed: Failed, request: Request, attempt: number, clock: Clock): number | undefined {
  const limit = limitWait(failed, attempt, clock);
  // A request that met a limit had no effect.
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

/** No answer, a broken one, or one of a server in trouble. Octokit calls a dropped connection 500. */
export const isUnanswered = ({ status }: Pick<Failed, 'status'>): boolean => status === 0 || status >= 500;

/**
 * What may have had its effect although the answer was lost is not simply sent again: a second branch, pull request or
 * comment would be there. Trees, blobs and commits are named by what they hold, and the rest sets what it names.
 */
const mayRepeat = ({ method, url }: Request): boolean => method !== 'POST' || /\/git\/(trees|blobs|commits)$/.test(url);

/** An answer that was cut off reads as text where JSON was promised; octokit lets it through. */
async function rejectTruncated<T extends { readonly data: unknown; readonly status: number }>(
  answer: Promise<T> | T,
): Promise<T> {
  const it = await answer;
  if (typeof it.data === 'string' && it.status !== 204) throw new TruncatedResponse();
  return it;
}

/** Half an answer is none. */
export class TruncatedResponse extends Error {
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
  // Without a response octokit's 500 is its own: there was no answer.
  return { status: response === undefined ? 0 : error.status, message: error.message, headers };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

import { REFUSED_BY_PROXY } from './proxies.ts';

/** The first wait for a rate limit when the forge names no time; each further wait is twice as long. */
const FIRST_LIMIT_WAIT_MILLISECONDS = 60_000;
const FIRST_FAILURE_WAIT_MILLISECONDS = 1000;
const MAX_FAILURE_WAIT_MILLISECONDS = 30_000;
/** The limit of all waits for one request: a waiting job costs money, and a failed job can be run again. */
const MAX_WAIT_MILLISECONDS = 15 * 60_000;
export const MAX_ATTEMPTS = 6;
/** The shortest wait that is reported. */
const NOTICED_WAIT_MILLISECONDS = 5000;

/** A request that was not carried out, or for which this is unknown. */
export interface FailedRequest {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  readonly message: string;
  /** The response headers, with names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** True when the request would have changed something. */
  readonly isWrite: boolean;
}

interface Retrying extends Waiting {
  /** The name of the forge in messages. */
  readonly forge: string;
  /** The failure behind an error; `undefined` for any other error, which is a bug. */
  readonly readFailure: (error: unknown) => FailedRequest | undefined;
  /** True when the request may be sent again even if it may have succeeded. */
  readonly mayRepeat: boolean;
  readonly maxAttempts?: (failed: FailedRequest) => number;
}

/** Repeats a request that a rate limit refused, and an unanswered request when repeating it is safe. */
export async function withRetries<T>(run: () => Promise<T>, retrying: Retrying): Promise<T> {
  const { clock, notify, readFailure, maxAttempts = () => MAX_ATTEMPTS } = retrying;
  let waited = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const failed = readFailure(error);
      const wait = failed === undefined ? undefined : waitBefore(failed, attempt, retrying);
      if (failed === undefined || wait === undefined) throw error;
      if (attempt >= maxAttempts(failed) || waited + wait > MAX_WAIT_MILLISECONDS) throw error;
      waited += wait;
      if (wait >= NOTICED_WAIT_MILLISECONDS) notify(reasonToWait(failed, attempt, wait, retrying));
      await clock.sleep(wait);
    }
  }
}

function reasonToWait(failed: FailedRequest, attempt: number, wait: number, { clock, forge }: Retrying): string {
  const isLimit = limitWait(failed, attempt, clock) !== undefined;
  const answer = failed.status === 0 ? `${forge} did not answer` : `${forge} answered ${failed.status}`;
  const why = isLimit ? `${forge} limits the requests of this token` : answer;
  return `${why}; the next attempt is in ${Math.ceil(wait / 1000)} seconds`;
}

/** The wait in milliseconds before the next attempt; `undefined` when the request must not be repeated. */
function waitBefore(failed: FailedRequest, attempt: number, { clock, mayRepeat }: Retrying): number | undefined {
  const limit = limitWait(failed, attempt, clock);
  // A request that was refused by a rate limit had no effect.
  if (limit !== undefined) return limit;
  if (!isUnanswered(failed) || !mayRepeat || REFUSED_BY_PROXY.test(failed.message)) return undefined;
  return Math.min(FIRST_FAILURE_WAIT_MILLISECONDS * 2 ** (attempt - 1), MAX_FAILURE_WAIT_MILLISECONDS);
}

/**
 * The remaining milliseconds of a rate limit; `undefined` for other failures. GitHub's secondary limits have status 403
 * or 429. Source: GitHub, rate limits for the REST API: retry-after first, then x-ratelimit-reset (seconds since 1970)
 * when nothing remains, else a minute and more each time. GitLab has the same headers without `x-`. Source:
 * docs.gitlab.com, "Rate limits", headers of the responses.
 */
export function limitWait(
  { status, message, headers }: FailedRequest,
  attempt: number,
  clock: Clock,
): number | undefined {
  const limit = (name: string): unknown => headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`];
  const spent = limit('remaining') === '0';
  const isLimit =
    status === 429 || (status === 403 && ('retry-after' in headers || spent || /rate limit|abuse/i.test(message)));
  if (!isLimit) return undefined;
  const after = Number(headers['retry-after']);
  if (after > 0) return after * 1000;
  const reset = Number(limit('reset'));
  if (spent && reset > 0) return Math.max(reset * 1000 - clock.now(), 0) + 1000;
  return FIRST_LIMIT_WAIT_MILLISECONDS * 2 ** (attempt - 1);
}

/** True without a response, with an incomplete response, and for a server error. */
export const isUnanswered = ({ status }: Pick<FailedRequest, 'status'>): boolean => status === 0 || status >= 500;

/** The time source for requests. `front/` has the real clock; tests have one that never waits. */
export interface Clock {
  /** The current time in milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Calls `tick` repeatedly until the returned function is called. */
  readonly every: (milliseconds: number, tick: () => void) => () => void;
}

/** The means with which weft waits for a forge. */
export interface Waiting {
  readonly clock: Clock;
  /** Prints a line for a user who waits. */
  readonly notify: (line: string) => void;
}

import type { Clock, Waiting } from './clock.ts';

/** The first wait on a limit if the forge names no time; each further one is twice as long. */
const FIRST_LIMIT_WAIT_MILLISECONDS = 60_000;
const FIRST_FAILURE_WAIT_MILLISECONDS = 1000;
const MAX_FAILURE_WAIT_MILLISECONDS = 30_000;
/** In total for one request: a waiting job costs money, and a failed job can be run again. */
const MAX_WAIT_MILLISECONDS = 15 * 60_000;
export const MAX_ATTEMPTS = 6;
/** A shorter wait is not worth a line. */
const NOTICED_WAIT_MILLISECONDS = 5000;

/** A request that was not carried out, or that may have been. */
export interface FailedRequest {
  /** Of HTTP; 0 without a response. */
  readonly status: number;
  readonly message: string;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** Whether it would have changed something. */
  readonly isWrite: boolean;
}

interface Retrying extends Waiting {
  /** As messages name it. */
  readonly forge: string;
  /** The failure behind an error; `undefined` for anything else, which is a bug. */
  readonly readFailure: (error: unknown) => FailedRequest | undefined;
  /** Whether the request may be sent again although it may have succeeded. */
  readonly mayRepeat: boolean;
  readonly maxAttempts?: (failed: FailedRequest) => number;
}

/** Repeats a request that a limit refused, and one without an answer where a second one does no harm. */
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

/** Milliseconds before this may be tried again; `undefined` when it may not. */
function waitBefore(failed: FailedRequest, attempt: number, { clock, mayRepeat }: Retrying): number | undefined {
  const limit = limitWait(failed, attempt, clock);
  // A request that was refused by a limit had no effect.
  if (limit !== undefined) return limit;
  if (!isUnanswered(failed) || !mayRepeat) return undefined;
  return Math.min(FIRST_FAILURE_WAIT_MILLISECONDS * 2 ** (attempt - 1), MAX_FAILURE_WAIT_MILLISECONDS);
}

/**
 * How long a limit lasts. GitHub's secondary limits come as 403 or 429. Source: GitHub, rate limits for the REST API:
 * retry-after first, then x-ratelimit-reset (seconds since 1970) when nothing remains, else a minute and more each time.
 * GitLab has the same headers without `x-`. Source: docs.gitlab.com, "Rate limits", headers of the responses.
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

/** No response, an incomplete one, or a server error. */
export const isUnanswered = ({ status }: Pick<FailedRequest, 'status'>): boolean => status === 0 || status >= 500;

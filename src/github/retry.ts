import type { Octokit } from '@octokit/rest';
import type { Clock } from './clock.ts';

/** Milliseconds. GitHub asks for one write at a time, a second apart. Source: GitHub, best practices for the REST API. */
const PAUSE_BETWEEN_WRITES = 1000;
/** Without other word from GitHub the first wait on a limit; each further one is twice as long. */
const FIRST_LIMIT_WAIT = 60_000;
const FIRST_FAILURE_WAIT = 1000;
const LONGEST_FAILURE_WAIT = 30_000;
/** In all, for one request: a job that sleeps costs money, and one that fails can be run again. */
const LONGEST_WAIT = 15 * 60_000;
const TURNS = 6;

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
  const inTurn = oneAfterTheOther(clock);
  octokit.hook.wrap('request', (request, options) => {
    const attempt = () => repeat(() => whole(request(options)), options, clock);
    return options.method === 'GET' ? attempt() : inTurn(attempt);
  });
}

/** Each write begins when the one before is done, a pause later. */
function oneAfterTheOther(clock: Clock): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let doneAt = Number.NEGATIVE_INFINITY;
  return (run) => {
    const mine = last.then(async () => {
      const left = doneAt + PAUSE_BETWEEN_WRITES - clock.now();
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

async function repeat<T>(run: () => Promise<T>, request: Request, clock: Clock): Promise<T> {
  let waited = 0;
  for (let turn = 1; ; turn++) {
    try {
      return await run();
    } catch (error) {
      const failed = readFailure(error);
      const wait = failed === undefined ? undefined : waitBefore(failed, request, turn, clock);
      if (wait === undefined || turn >= TURNS || waited + wait > LONGEST_WAIT) throw error;
      waited += wait;
      await clock.sleep(wait);
    }
  }
}

/** Milliseconds before this may be tried again; `undefined` when it may not. */
function waitBefore(failed: Failed, request: Request, turn: number, clock: Clock): number | undefined {
  const limit = limitWait(failed, turn, clock);
  // A request that met a limit had no effect.
  if (limit !== undefined) return limit;
  if (!isUnanswered(failed) || !mayRepeat(request)) return undefined;
  return Math.min(FIRST_FAILURE_WAIT * 2 ** (turn - 1), LONGEST_FAILURE_WAIT);
}

/**
 * How long a limit of GitHub lasts. Secondary limits come as 403 or 429. Source: GitHub, rate limits for the REST API:
 * retry-after first, then x-ratelimit-reset (seconds since 1970) when nothing remains, else a minute and more each time.
 */
export function limitWait({ status, message, headers }: Failed, turn: number, clock: Clock): number | undefined {
  const spent = headers['x-ratelimit-remaining'] === '0';
  const isLimit =
    status === 429 || (status === 403 && ('retry-after' in headers || spent || /rate limit|abuse/i.test(message)));
  if (!isLimit) return undefined;
  const after = Number(headers['retry-after']);
  if (after > 0) return after * 1000;
  const reset = Number(headers['x-ratelimit-reset']);
  if (spent && reset > 0) return Math.max(reset * 1000 - clock.now(), 0) + 1000;
  return FIRST_LIMIT_WAIT * 2 ** (turn - 1);
}

/** No answer, a broken one, or one of a server in trouble. Octokit calls a dropped connection 500. */
export const isUnanswered = ({ status }: Pick<Failed, 'status'>): boolean => status === 0 || status >= 500;

/**
 * What may have had its effect although the answer was lost is not simply sent again: a second branch, pull request or
 * comment would be there. Trees, blobs and commits are named by what they hold, and the rest sets what it names.
 */
const mayRepeat = ({ method, url }: Request): boolean => method !== 'POST' || /\/git\/(trees|blobs|commits)$/.test(url);

/** An answer that was cut off reads as text where JSON was promised; octokit lets it through. */
async function whole<T extends { readonly data: unknown; readonly status: number }>(
  answer: Promise<T> | T,
): Promise<T> {
  const it = await answer;
  if (typeof it.data === 'string' && it.status !== 204) throw new BrokenAnswer();
  return it;
}

/** Half an answer is none. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer';
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

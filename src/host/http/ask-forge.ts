import { type ForgeContent, ForgeError, type ForgeFailure, type NewPull, type Pull } from '../forge/forge.ts';
import { REFUSED_BY_PROXY } from './proxies.ts';
import { type Clock, type FailedRequest, isUnanswered, limitWait, type Waiting } from './retries.ts';

/** Responses that are expected results instead of failures, by status or by words in the forge's message. */
type Answers<T> = Readonly<Record<string, T>>;

/** The functions through which every part of a forge sends its requests. */
export interface AskForge {
  /** Sends a request; throws every failure as a `ForgeError` with a hint, which names the operation. */
  readonly ask: <T>(operation: string, request: () => Promise<T>, unless?: Answers<T>) => Promise<T>;
  /** Creates something that must not exist twice: after an unanswered request, `find` looks it up first. */
  readonly makeOnce: <T>(make: () => Promise<T>, find: () => Promise<T | undefined>) => Promise<T>;
}

interface Asked extends Waiting {
  /** The name of the forge in messages. */
  readonly forge: string;
  /**
   * Converts an error of a request into an error with a hint; throws any other error unchanged, because it is a bug.
   */
  readonly forgeErrorOf: (error: unknown, operation: string) => ForgeError;
}

/** The number of attempts to create an object that is still missing after an unanswered request. */
const MAX_ATTEMPTS = 4;
const RETRY_WAIT_MILLISECONDS = 2000;

export function askForge({ forge, forgeErrorOf, ...waiting }: Asked): AskForge {
  return {
    ask: async (operation, request, unless = {}) => {
      const stopWatching = watchRequest(waiting, forge, operation);
      try {
        return await request();
      } catch (error) {
        const failure = forgeErrorOf(error, operation);
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
          const { failure } = forgeErrorOf(error, '');
          if (failure !== 'unreachable' || attempt >= MAX_ATTEMPTS) throw error;
          await waiting.clock.sleep(RETRY_WAIT_MILLISECONDS * attempt);
          const made = await find();
          if (made !== undefined) return made;
        }
      }
    },
  };
}

/** A pull request to open, and the words of its forge. */
interface OpeningPull {
  readonly operation: string;
  readonly open: () => Promise<Pull>;
  /** The pull request that another run has opened, or this one with a request that was not answered. */
  readonly find: () => Promise<Pull | undefined>;
  /** The status, or words in the message, by which the forge reports an existing one. */
  readonly exists: string;
  /** The failure when the forge reports an existing one and does not list it. */
  readonly unlisted: { readonly reason: string; readonly hint: string };
}

/** Opens a pull request, or returns the one that another run was faster to open. */
export async function openOnce(
  { ask, makeOnce }: AskForge,
  { operation, open, find, exists, unlisted }: OpeningPull,
): Promise<Pull> {
  const created = await ask<Pull | 'exists'>(operation, () => makeOnce(open, find), { [exists]: 'exists' });
  const found = created === 'exists' ? await find() : created;
  if (found !== undefined) return found;
  throw new ForgeError('refused', { operation, status: 409, ...unlisted });
}

/** True when a branch has no commit that its base lacks: some forges open pull requests without commits, too. */
export async function hasNoCommits(
  content: Pick<ForgeContent, 'headOf' | 'compare'>,
  pull: Pick<NewPull, 'base' | 'branch'>,
): Promise<boolean> {
  const [base, head] = [await content.headOf(pull.base), await content.headOf(pull.branch)];
  return base !== null && head !== null && (await content.compare(base, head)).ahead === 0;
}

/** The interval between checks of a waiting request. Most are answered in a second; a rate limit takes minutes. */
const INTERVAL_MILLISECONDS = 10_000;

/** True for the intervals after which a line is printed: early at first, then once a minute. */
const isDue = (intervals: number): boolean => intervals === 1 || intervals === 3 || intervals % 6 === 0;

/** Prints lines while a request is waiting. The returned function stops this. */
export function watchRequest({ clock, notify }: Waiting, forge: string, operation: string): () => void {
  let intervals = 0;
  return clock.every(INTERVAL_MILLISECONDS, () => {
    intervals += 1;
    const seconds = (intervals * INTERVAL_MILLISECONDS) / 1000;
    if (isDue(intervals)) notify(`still waiting for ${forge} after ${seconds} seconds: ${operation}`);
  });
}

/** A request that a forge did not carry out. */
export interface RefusedRequest {
  /** The operation that was tried, worded to follow "cannot": `open a pull request`. */
  readonly operation: string;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  readonly reason: string;
  /** True when the request would have changed something. */
  readonly isWrite?: boolean;
  /** The remaining duration of the forge's rate limit, if that is the reason. */
  readonly limitedForSeconds?: number;
}

/** Converts a failed request into the form that `explainBy` reads. */
export function refusedRequest(failed: FailedRequest, operation: string, clock: Clock): RefusedRequest {
  const limit = limitWait(failed, 1, clock);
  return {
    operation,
    reason: isUnanswered(failed) && failed.message === '' ? 'no answer' : failed.message,
    status: failed.status,
    isWrite: failed.isWrite,
    ...(limit === undefined ? {} : { limitedForSeconds: Math.ceil(limit / 1000) }),
  };
}

/** One kind of failure, with the test for its responses and its remedy. */
export interface FailureRow {
  readonly failure: ForgeFailure;
  readonly when: (it: RefusedRequest) => boolean;
  readonly hint: string;
}

/** The rows that apply to every forge: rate limits, unreachable servers, and server errors. */
export const rowsWithoutAnswer = (forge: string): readonly FailureRow[] => [
  {
    failure: 'limited',
    when: (it) => it.limitedForSeconds !== undefined,
    hint: 'run it again after the limit',
  },
  {
    failure: 'refused',
    when: (it) => REFUSED_BY_PROXY.test(it.reason),
    hint: `allow ${forge} in the proxy, write a user and a password into HTTPS_PROXY (http://USER:PASSWORD@HOST:PORT) if it asks for them, or name ${forge} in NO_PROXY`,
  },
  {
    failure: 'unreachable',
    when: (it) => it.status === 0,
    hint: `run it again: nothing is incomplete; if this machine reaches ${forge} only through a proxy, set HTTPS_PROXY, and if its certificate is of an authority of your own, NODE_EXTRA_CA_CERTS`,
  },
  {
    failure: 'unreachable',
    when: (it) => it.status >= 500,
    hint: 'run it again: several requests failed, but nothing is incomplete',
  },
];

/** Converts a refused request into an error with a remedy. The first row that matches is used. */
export function explainBy(rows: readonly FailureRow[], it: RefusedRequest): ForgeError {
  const row = rows.find(({ when }) => when(it));
  const hint = it.limitedForSeconds === undefined ? row?.hint : `${row?.hint}, in ${it.limitedForSeconds} seconds`;
  return new ForgeError(row?.failure ?? 'refused', {
    operation: it.operation,
    reason: it.reason,
    status: it.status,
    hint: hint ?? 'check the permissions of the token, and the rules of the repository',
  });
}

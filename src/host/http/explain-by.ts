import { ForgeError, type ForgeFailure } from '../forge/forge-error.ts';
import type { Clock } from './clock.ts';
import { type FailedRequest, isUnanswered, limitWait } from './retries.ts';

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

import { ForgeError, type ForgeFailure } from '../forge/forge-error.ts';
import type { Clock } from './clock.ts';
import { type FailedRequest, isUnanswered, limitWait } from './retries.ts';

/** A request that a forge did not carry out. */
export interface RefusedRequest {
  /** What was tried, worded to follow "cannot": `open a pull request`. */
  readonly operation: string;
  /** Of HTTP; 0 without a response. */
  readonly status: number;
  readonly reason: string;
  /** Whether the request would have changed something. */
  readonly isWrite?: boolean;
  /** Duration of the rate limit of the forge, if that is the reason. */
  readonly limitedForSeconds?: number;
}

/** A failed request as what explains it. */
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

/** One kind of failure: when a response means it, and what to do then. */
export interface FailureRow {
  readonly failure: ForgeFailure;
  readonly when: (it: RefusedRequest) => boolean;
  readonly hint: string;
}

/** When any forge limits requests, cannot be reached, or fails. */
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

/** The response of a forge as an error that says what to do. The first row that matches counts. */
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

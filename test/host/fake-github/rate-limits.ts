import { primaryLimit, secondaryLimit } from './refusal.ts';
import type { Account, Answer, World } from './world.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Requests an hour. Source: GitHub's REST reference, "Rate limits for the REST API". */
const LIMITS = { user: 5000, bot: 1000 } as const;

interface Budget {
  readonly limit: number;
  used: number;
  endsAt: number;
  /** When this token wrote, in the last minute. */
  writes: number[];
  /** The time until which this token is refused, and the refusal. */
  quiet: { readonly until: number; readonly answer: Answer } | null;
}

export interface RateLimits {
  /** A refusal, when the token has to wait; otherwise the request is counted. */
  readonly admit: (
    account: Account | null,
    method: string,
  ) => { readonly refusal: Answer | null; readonly early: number };
  /** The headers of every answer. */
  readonly headersFor: (account: Account | null) => Readonly<Record<string, string>>;
  /** Learns from an answer on its way out how long the client has to be quiet. */
  readonly note: (account: Account | null, answer: Answer) => void;
  /** So many requests are left in this hour. */
  readonly leave: (account: Account, remaining: number) => void;
}

export function rateLimits({ clock, settings }: World): RateLimits {
  const budgets = new Map<string, Budget>();
  const budgetOf = (account: Account | null): Budget => {
    const key = account?.token ?? '';
    const now = clock.now();
    const known = budgets.get(key);
    const budget = known ?? {
      limit: LIMITS[account?.kind ?? 'user'],
      used: 0,
      endsAt: now + HOUR,
      writes: [],
      quiet: null,
    };
    if (budget.endsAt <= now) Object.assign(budget, { used: 0, endsAt: now + HOUR });
    budgets.set(key, budget);
    return budget;
  };
  return {
    admit: (account, method) => {
      const budget = budgetOf(account);
      const now = clock.now();
      if (budget.quiet !== null && now < budget.quiet.until) {
        return { refusal: budget.quiet.answer, early: budget.quiet.until - now };
      }
      budget.quiet = null;
      if (budget.used >= budget.limit) return { refusal: primaryLimit(Math.ceil(budget.endsAt / 1000)), early: 0 };
      budget.used += 1;
      if (method === 'GET') return { refusal: null, early: 0 };
      budget.writes = [...budget.writes.filter((it) => it > now - MINUTE), now];
      return { refusal: budget.writes.length > settings.writesPerMinute ? secondaryLimit(60) : null, early: 0 };
    },
    headersFor: (account) => {
      const { limit, used, endsAt } = budgetOf(account);
      return {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(Math.max(limit - used, 0)),
        'x-ratelimit-used': String(used),
        'x-ratelimit-reset': String(Math.ceil(endsAt / 1000)),
        'x-ratelimit-resource': 'core',
      };
    },
    note: (account, answer) => {
      const until = quietUntil(answer, clock.now());
      if (until !== null) budgetOf(account).quiet = { until, answer };
    },
    leave: (account, remaining) => {
      const budget = budgetOf(account);
      budget.used = budget.limit - remaining;
    },
  };
}

/** Source: GitHub's REST reference, "Best practices for using the REST API": `retry-after`, the reset, or a minute. */
function quietUntil({ status, body, headers = {} }: Answer, now: number): number | null {
  const said = body !== null && 'message' in body ? String(body['message']) : '';
  if (![403, 429].includes(status) || !/rate limit/i.test(said)) return null;
  if (headers['retry-after'] !== undefined) return now + Number(headers['retry-after']) * 1000;
  if (headers['x-ratelimit-remaining'] === '0') return Number(headers['x-ratelimit-reset']) * 1000;
  return now + MINUTE;
}

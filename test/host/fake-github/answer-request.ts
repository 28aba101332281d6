import { checkAnswer, checkRequest } from './check-exchange.ts';
import { deliver } from './deliver.ts';
import type { Fault, Injection, Waiting } from './injections.ts';
import { perform } from './operations.ts';
import type { RateLimits } from './rate-limits.ts';
import { saying } from './refusal.ts';
import type { SeenRequest } from './seen-request.ts';
import type { Account, Answer, World } from './world.ts';

/** One line of what happened. */
export interface Exchange {
  readonly method: string;
  /** Decoded, with the query. */
  readonly path: string;
  readonly operation: string | null;
  /** The status that the client received. */
  readonly status: number | 'dropped' | 'half' | 'silence';
  /** The status of GitHub, if the client received another one; `null` when GitHub did nothing. */
  readonly done: number | null;
  /** When it came in, on the virtual clock, in milliseconds since 1970. */
  readonly at: number;
  /** The user of the request; empty without one. */
  readonly login: string;
}

export interface Desk {
  readonly world: World;
  readonly limits: RateLimits;
  readonly injections: Waiting<Injection>;
  readonly log: Exchange[];
  readonly violations: string[];
}

/** Milliseconds after which Node aborts a request without an answer. Source: nodejs/undici, headersTimeout. */
const PATIENCE = 300_000;

/** From a request to what its client gets, with everything that goes wrong on the way. */
export async function answerRequest(desk: Desk, seen: SeenRequest): Promise<Response> {
  const { world, limits, log } = desk;
  const at = world.clock.now();
  const token = tokenOf(seen);
  const caller = world.accounts.find((it) => it.token === token) ?? null;
  const refusal = refusalOf(desk, seen, { token, caller });
  const fault = refusal === null ? desk.injections.take(seen) : null;
  const done = refusal ?? (fault?.effect === 'before' ? null : await perform(seen, { world, caller }));
  const outcome: Fault = fault?.answer ?? done ?? saying(500, 'Server Error');
  world.clock.advance(outcome === 'silence' ? PATIENCE : world.settings.latencyMilliseconds);
  if (typeof outcome !== 'string') {
    limits.note(caller, outcome);
    complain(desk, seen, checkAnswer(seen, outcome));
  }
  log.push({
    method: seen.method,
    path: decodeURIComponent(`${seen.url.pathname}${seen.url.search}`),
    operation: seen.operation,
    status: typeof outcome === 'string' ? outcome : outcome.status,
    done: done?.status ?? null,
    at,
    login: caller?.login ?? '',
  });
  return deliver(seen, outcome, limits.headersFor(caller));
}

function tokenOf({ headers }: SeenRequest): string | null {
  return /^(?:token|bearer) (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}

interface Asking {
  readonly token: string | null;
  readonly caller: Account | null;
}

/** Refusals before the operation of the request is considered; also records the faults of the request. */
function refusalOf(desk: Desk, seen: SeenRequest, { token, caller }: Asking): Answer | null {
  const { refusal, early } = desk.limits.admit(caller, seen.method);
  if (early > 0) complain(desk, seen, [`it comes ${early / 1000} s before the limit is over`]);
  const { invalid, improper } = checkRequest(seen, token);
  complain(desk, seen, [...invalid, ...improper]);
  if (refusal !== null) return refusal;
  if (token !== null && caller === null) return saying(401, 'Bad credentials');
  if (seen.match === null) return saying(404, 'Not Found');
  return invalid.length === 0 ? null : saying(422, `Invalid request.\n\n${invalid.join('\n')}`);
}

function complain({ violations }: Desk, { method, url }: SeenRequest, faults: readonly string[]): void {
  for (const it of faults) violations.push(`${method} ${decodeURIComponent(url.pathname)}: ${it}`);
}

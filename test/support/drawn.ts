import { it } from 'vitest';

/** `LAW_RUNS=10` runs every law ten times as often; a push runs a twentieth of each, and the nightly run all. */
export const LAW_RUNS = Number(process.env['LAW_RUNS'] ?? 1);

/** `LAW_SEED=n` draws other examples than everybody else's runs do. */
export const LAW_SEED = process.env['LAW_SEED'] === undefined ? null : Number(process.env['LAW_SEED']);

/** True in the nightly run and before a release: nothing is drawn, all of it runs. */
export const RUNS_ALL = LAW_RUNS >= 1;

/**
 * Cases of which each needs processes of other programs: all in the nightly run, else every twentieth, and those that are
 * named because no other is like them.
 */
export function drawn<Case>(cases: readonly Case[], isAlways: (it: Case) => boolean = () => false): readonly Case[] {
  if (RUNS_ALL) return cases;
  const step = Math.round(1 / LAW_RUNS);
  const first = (LAW_SEED ?? 0) % step;
  return cases.filter((it, index) => index % step === first || isAlways(it));
}

/** Matches the first case of each group, so that a draw has one of every group. */
export function firstOfEach<Case>(groupOf: (it: Case) => string): (it: Case) => boolean {
  const seen = new Map<string, Case>();
  return (it) => {
    const group = groupOf(it);
    if (!seen.has(group)) seen.set(group, it);
    return seen.get(group) === it;
  };
}

/** The number of examples to draw of `count`. */
export const runsOf = (count: number, least = 1): number => Math.max(least, Math.round(count * LAW_RUNS));

/** A test for the night alone: on a push, cheaper ones are about the same code. */
export function nightly(name: string, run: () => unknown): void {
  if (RUNS_ALL) it(name, run);
}

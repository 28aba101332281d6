import type { Change } from './change.ts';
import type { Action } from './difference.ts';

interface ChangeCounts extends Readonly<Record<Action, number>> {
  readonly disruptive: number;
  /** Those of them that decide who is trusted. */
  readonly trust: number;
}

/** Consequences do not count, unless there is nothing else. */
export function countChanges(changes: readonly Change[]): ChangeCounts {
  const intended = changes.filter((it) => !it.isConsequence);
  const counted = intended.length === 0 ? changes : intended;
  const count = (action: Action): number => counted.filter((it) => it.action === action).length;
  const disruptive = changes.filter((it) => it.disruptive).length;
  const trust = changes.filter((it) => it.isTrust).length;
  return { add: count('add'), change: count('change'), remove: count('remove'), disruptive, trust };
}

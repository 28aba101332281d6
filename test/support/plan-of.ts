import type { Demands } from '../../src/plan/demand.ts';
import { NO_ACCEPTANCES, type Plan, planOfSides } from '../../src/plan/plan-changes.ts';
import { readPlanState, type StateInput } from '../../src/plan/plan-state.ts';
import { readBothSides } from '../../src/plan/read-both-sides.ts';

/** A state without files: then everything in the other state is new. */
export const EMPTY_STATE: StateInput = { files: new Map(), lock: null, known: null };

/** The plan from one state to another; both must be readable. */
export function planOf({ base, head, demands = { before: [], after: [] } }: Sides): Plan {
  const [before, after] = [readPlanState(base), readPlanState(head)];
  if (before === undefined || after === undefined) throw new Error('there is no plan');
  return planOfSides(readBothSides(before, after), { acceptances: NO_ACCEPTANCES, demands });
}

interface Sides {
  readonly base: StateInput;
  readonly head: StateInput;
  readonly demands?: Demands;
}

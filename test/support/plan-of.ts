import { type Plan, planChanges } from '../../src/plan/plan-changes.ts';
import { readPlanState, type StateInput } from '../../src/plan/read-plan-state.ts';

/** A state without files: then everything in the other state is new. */
export const EMPTY_STATE: StateInput = { files: new Map(), lock: null, known: null };

/** The plan from one state to another; both must be readable. */
export function planOf({ base, head }: { readonly base: StateInput; readonly head: StateInput }): Plan {
  const [before, after] = [readPlanState(base), readPlanState(head)];
  if (before === undefined || after === undefined) throw new Error('there is no plan');
  return planChanges(before, after);
}

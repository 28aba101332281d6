import { placeFault } from './place-fault.ts';

/** Why a plan for programs cannot be written to a path: `placeFault`, for an empty file or an earlier plan. */
export const planPlaceFault = (path: string, cwd: string): Promise<string | undefined> =>
  placeFault(path, cwd, EMPTY_OR_PLAN);

/** The first key of a plan is the name of the fleet. */
const EMPTY_OR_PLAN = /^(?:\s*$|\{\s*"fleet":)/;

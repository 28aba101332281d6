import { placeFault } from './place-fault.ts';

/** Why a plan for programs cannot be written to a path: `placeFault`, for an empty file or an earlier plan. */
export const planPlaceFault = (path: string, cwd: string): Promise<string | undefined> =>
  placeFault(path, cwd, EMPTY_OR_PLAN);

/** The first keys of a plan are the version of its form and the name of the fleet. */
const EMPTY_OR_PLAN = /^(?:\s*$|\{\s*"schemaVersion": \d+,\s*"fleet":)/;

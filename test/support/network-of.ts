import type { NetworkState } from '../../src/plan/network-state.ts';
import { readPlanState } from '../../src/plan/plan-state.ts';
import { readBothSides } from '../../src/plan/read-both-sides.ts';

/** The network that files below `out/` describe; `undefined` for files that describe none. */
export function networkOf(files: ReadonlyMap<string, string>, lock: string | null): NetworkState | undefined {
  const state = readPlanState({ files, lock, known: null });
  return state && readBothSides(state, state).after.network;
}

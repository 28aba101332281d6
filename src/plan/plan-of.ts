import { isBundleFile } from '../core/bundle-path.ts';
import { type Plan, planChanges } from './plan-changes.ts';
import type { PlanState, TopologyFacts } from './plan-state.ts';
import { readNetworkState } from './read-network-state.ts';

/** Files below `out/`, a lock, and what is known of the topology behind them. */
export interface StateInput {
  readonly files: ReadonlyMap<string, string>;
  readonly lock: string | null;
  readonly known: TopologyFacts | null;
}

/** An empty state: everything is new. */
export const NOTHING: StateInput = { files: new Map(), lock: null, known: null };

/** One side of a plan; `undefined` when its `addresses.json` is missing or not as weft writes it. */
export function planState({ files, lock, known }: StateInput): PlanState | undefined {
  const own = new Map([...files].filter(([path]) => isBundleFile(path)));
  const network = readNetworkState(own, lock);
  return network && { files: own, lock, network, known };
}

/** The plan from one state to another; `undefined` when the base cannot be read. */
export function planOf({ base, head }: { readonly base: StateInput; readonly head: StateInput }): Plan | undefined {
  const [before, after] = [planState(base), planState(head)];
  return before && after && planChanges(before, after);
}

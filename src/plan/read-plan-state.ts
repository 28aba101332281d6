import { isBundleFile } from '../core/bundle-path.ts';
import type { PlanState, TopologyFacts } from './plan-state.ts';
import { readNetworkState } from './read-network-state.ts';

/** Files below `out/`, a lock, and what is known of the topology behind them. */
export interface StateInput {
  readonly files: ReadonlyMap<string, string>;
  readonly lock: string | null;
  readonly known: TopologyFacts | null;
}

/** One side of a plan; `undefined` when its `addresses.json` is missing or not as weft writes it. */
export function readPlanState({ files, lock, known }: StateInput): PlanState | undefined {
  const own = new Map([...files].filter(([path]) => isBundleFile(path)));
  const network = readNetworkState(own, lock);
  return network && { files: own, lock, network, known };
}

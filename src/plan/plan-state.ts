import type { NetworkState } from './network-state.ts';

/** One side of a plan: the state before, or after. */
export interface PlanState {
  /** Path below `out/` to text, without weft's own folder. */
  readonly files: ReadonlyMap<string, string>;
  /** The text of the lock; `null` when there is none. */
  readonly lock: string | null;
  readonly network: NetworkState;
  /** Facts that only a topology contains; `null` without a topology that compiles to exactly these files. */
  readonly known: TopologyFacts | null;
}

/** By cluster name. */
export interface TopologyFacts {
  /** Version of Liqo, with its patch. */
  readonly releases: ReadonlyMap<string, string>;
  /** The former name of a cluster that declares one. */
  readonly formerNames: ReadonlyMap<string, string>;
}

import type { NetworkState } from './network-state.ts';

/** One side of a plan: what is, or what would be. */
export interface PlanState {
  /** Path below `out/` to text, without weft's own record. */
  readonly files: ReadonlyMap<string, string>;
  /** The text of the lock; `null` when there is none. */
  readonly lock: string | null;
  readonly network: NetworkState;
  /** What only a topology says; `null` when none is known that compiles to just these files. */
  readonly known: TopologyFacts | null;
}

/** By cluster name. */
export interface TopologyFacts {
  /** Version of Liqo, with its patch. */
  readonly releases: ReadonlyMap<string, string>;
  /** The hubs that a cluster is a spoke of. */
  readonly hubs: ReadonlyMap<string, readonly string[]>;
}

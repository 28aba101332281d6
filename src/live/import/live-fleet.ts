import type { Served } from './dialled.ts';
import type { ClustersById, LiveLink } from './live-link.ts';

/** Everything that live clusters say about their network, with the two views of each link side by side. */
export interface LiveFleet {
  /** Those of which there is a dump. */
  readonly clusters: ClustersById;
  readonly links: readonly LiveLink[];
  /** Links of which it is known where their client finds their server, and which networks both clusters have. */
  readonly served: readonly Served[];
  /** Every cluster that the topology has, in order of name. */
  readonly names: readonly string[];
}

import type { NetworkState } from './network-state.ts';
import type { Reachability } from './reachability.ts';

/** What a difference is judged by: the networks of before and after, and how their clusters reach each other. */
export interface PlanContext {
  /** With the names that its clusters have afterwards. */
  readonly before: NetworkState;
  readonly after: NetworkState;
  readonly was: Reachability;
  readonly is: Reachability;
  /** The pairs that a shortcut joins, before or after: what changes for them is in the folders of their hubs, too. */
  readonly shortcuts: ReadonlySet<string>;
  /** Whether the Liqo that runs in a cluster now replaces a Network whose CIDR changes. */
  readonly replacesChangedNetworks: (cluster: string) => boolean;
}

import type { TraitName } from '../base/releases/traits.ts';
import type { AskedViews } from './asked-views.ts';
import type { NetworkState } from './network-state.ts';
import type { Reachability } from './reachability.ts';

/** The context of a judgement: the networks before and after, and how their clusters reach each other. */
export interface PlanContext {
  /** With the cluster names after the change. */
  readonly before: NetworkState;
  readonly after: NetworkState;
  readonly was: Reachability;
  readonly is: Reachability;
  /** Keys that are in clusters and in no file; see `TopologyFacts`. With the names after the change. */
  readonly unknownKeys: { readonly was: ReadonlySet<string>; readonly is: ReadonlySet<string> };
  /** The pairs that a shortcut joins, before or after: their changes also appear in the folders of their hubs. */
  readonly shortcuts: ReadonlySet<string>;
  /** Clusters in which Liqo is installed again, so that they ask for every view. */
  readonly reinstalled: ReadonlySet<string>;
  readonly asked: AskedViews;
  /** Whether the Liqo that runs in a cluster now has a trait. Files prove only traits of newer releases. */
  readonly hasTrait: (cluster: string, trait: TraitName) => boolean;
}

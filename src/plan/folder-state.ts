import type { ClusterState, ServiceState, SideState, ToolStates } from './network-state.ts';
import type { OffloadingState, ShareState } from './sharing-state.ts';

/** What the files of one folder of `out/` say by themselves. It contains no part of their texts, so that these can go. */
export interface FolderState {
  /** What they say of the cluster whose folder it is. */
  readonly cluster: ClusterFacts;
  /** By peer: what its manifests say. */
  readonly sides: readonly (readonly [peer: string, facts: SideFacts])[];
  /** The halves of loans that this cluster has. */
  readonly shares: readonly ShareState[];
  readonly offloadings: readonly OffloadingState[];
  /** What the first list names in its header: `null` without a header, absent without a list. */
  readonly topologyFile?: string | null;
  readonly hasShortcuts: boolean;
  readonly tools: ToolStates;
}

/** All of a cluster but what the lock and `addresses.json` have. */
export type ClusterFacts = Omit<ClusterState, 'name' | 'blocks' | 'peers'>;

/** All of one end but its views, with the name of the Secret as it is. */
export interface SideFacts extends Pick<SideState, 'template' | 'names' | 'keyOfPeer'> {
  readonly service: ServiceState | null;
  readonly hasConnection: boolean;
}

import type { ClusterState, ServiceState, SideState, ToolStates } from './network-state.ts';
import type { ManifestLines } from './read-manifest-lines.ts';
import { readNamesState } from './read-names-state.ts';
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

/** What the manifests for a peer say, without the Service of a server. */
export function readSideFacts(manifests: readonly ManifestLines[], peer: string): Omit<SideFacts, 'service'> {
  const gateway = manifests.find((it) => /^Gateway(Server|Client)$/.test(it.get('kind') ?? ''));
  const ref = gateway?.get('kind') === 'GatewayServer' ? 'spec.serverTemplateRef' : 'spec.clientTemplateRef';
  const name = gateway?.get(`${ref}.name`);
  return {
    template: name === undefined ? null : `${gateway?.get(`${ref}.namespace`) ?? ''}/${name}`,
    names: readNamesState(manifests, peer),
    keyOfPeer: manifests.find((it) => it.get('kind') === 'PublicKey')?.get('spec.publicKey') ?? null,
    hasConnection: manifests.some((it) => it.get('kind') === 'Connection'),
  };
}

/** An end whose manifests are not there. */
export const NO_MANIFESTS: SideFacts = { ...readSideFacts([], ''), service: null };

/** Path below `out/` to text. */
export type Files = ReadonlyMap<string, string>;

/** What the files of each folder say, in their order. */
export type Folders = ReadonlyMap<string, FolderState>;

/** The lines of a lock, by key. */
export type Decisions = ReadonlyMap<string, string>;

import { generationIn, nameOfGeneration } from '../base/core/key-pair.ts';
import type { ClusterState, ServiceState, SideState, ToolStates } from './network-state.ts';
import type { ManifestLines } from './read-manifest-lines.ts';
import { readNamesState } from './read-names-state.ts';
import type { OffloadingState, ShareState } from './sharing-state.ts';

/** The contents of one folder of `out/`. It shares no memory with the files' texts, so that these can be freed. */
export interface FolderState {
  /** The facts about the cluster that owns the folder. */
  readonly cluster: ClusterFacts;
  /** The facts in the manifests for each peer. */
  readonly sides: readonly (readonly [peer: string, facts: SideFacts])[];
  /** This cluster's halves of loans. */
  readonly shares: readonly ShareState[];
  readonly offloadings: readonly OffloadingState[];
  /**
   * The topology file in the header of the first kustomization: `null` without a header, absent without a
   * kustomization.
   */
  readonly topologyFile?: string | null;
  readonly hasShortcuts: boolean;
  readonly tools: ToolStates;
}

/** A cluster's state without the parts from the lock and `addresses.json`. */
export type ClusterFacts = Omit<ClusterState, 'name' | 'blocks' | 'peers'>;

/** One end without its views, with the unchanged name of the Secret. */
export interface SideFacts extends Pick<SideState, 'template' | 'names' | 'nextSecret' | 'keyOfPeer'> {
  /** The place from which a secret manager takes the first key pair: `ClusterSecretStore network liqo/rome/milan`. */
  readonly keyStore: string | null;
  readonly service: ServiceState | null;
  readonly hasConnection: boolean;
}

/** The facts in the manifests for a peer, without the Service of a server. */
export function readSideFacts(manifests: readonly ManifestLines[], peer: string): Omit<SideFacts, 'service'> {
  const gateway = manifests.find((it) => /^Gateway(Server|Client)$/.test(it.get('kind') ?? ''));
  const ref = gateway?.get('kind') === 'GatewayServer' ? 'spec.serverTemplateRef' : 'spec.clientTemplateRef';
  const name = gateway?.get(`${ref}.name`);
  return {
    template: name === undefined ? null : `${gateway?.get(`${ref}.namespace`) ?? ''}/${name}`,
    names: readNamesState(manifests, peer),
    keyOfPeer: manifests.find((it) => it.get('kind') === 'PublicKey')?.get('spec.publicKey') ?? null,
    ...readKeyStore(manifests, gateway?.get('spec.secretRef.name') ?? ''),
    hasConnection: manifests.some((it) => it.get('kind') === 'Connection'),
  };
}

function readKeyStore(manifests: readonly ManifestLines[], secret: string): Pick<SideFacts, 'nextSecret' | 'keyStore'> {
  const externals = manifests.filter((it) => it.get('kind') === 'ExternalSecret');
  const nameOf = (it: ManifestLines): string => it.get('metadata.name') ?? '';
  const used = externals.find((it) => nameOf(it) === secret);
  const nextSecret = externals.map(nameOf).find((it) => it !== secret) ?? null;
  if (used === undefined) return { nextSecret, keyStore: null };
  const key = used.get('spec.data.0.remoteRef.key') ?? '';
  const { generation } = generationIn(secret);
  const ofGeneration = nameOfGeneration('', generation);
  const firstKey = key.endsWith(ofGeneration) ? key.slice(0, key.length - ofGeneration.length) : key;
  const store = ['spec.secretStoreRef.kind', 'spec.secretStoreRef.name'].map((it) => used.get(it) ?? '');
  return { nextSecret, keyStore: [...store, firstKey].join(' ') };
}

/** An end without manifests. */
export const NO_MANIFESTS: SideFacts = { ...readSideFacts([], ''), service: null };

/** Path below `out/` to text. */
export type Files = ReadonlyMap<string, string>;

/** The contents of each folder, in order. */
export type Folders = ReadonlyMap<string, FolderState>;

/** The lines of a lock, by key. */
export type Decisions = ReadonlyMap<string, string>;

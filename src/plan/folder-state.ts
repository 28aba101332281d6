import { generationIn, nameOfGeneration } from '../base/core/key-pair.ts';
import { tenantNamespace } from '../base/releases/labels.ts';
import type {
  ClusterState,
  NamesState,
  OffloadingState,
  ServiceState,
  ShareState,
  SideState,
  ToolStates,
} from './network-state.ts';
import type { ManifestLines } from './read-manifest-lines.ts';

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

const GATEWAY = /^Gateway(Server|Client)$/;

/** The facts in the manifests for a peer, without the Service of a server. */
export function readSideFacts(manifests: readonly ManifestLines[], peer: string): Omit<SideFacts, 'service'> {
  const gateway = manifests.find((it) => GATEWAY.test(it.get('kind') ?? ''));
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

/** The names of the objects for a peer, with the unchanged name of the Secret. */
function readNamesState(manifests: readonly ManifestLines[], peer: string): NamesState {
  const other = (kind: RegExp, usual: string): string | null => {
    const name = manifests.find((it) => kind.test(it.get('kind') ?? ''))?.get('metadata.name');
    return name === undefined || name === usual ? null : name;
  };
  const gateway = manifests.find((it) => GATEWAY.test(it.get('kind') ?? ''));
  return {
    namespace: other(/^Namespace$/, tenantNamespace(peer)),
    configuration: other(/^Configuration$/, peer),
    gateway: other(GATEWAY, peer),
    publicKey: other(/^PublicKey$/, peer),
    secret: gateway?.get('spec.secretRef.name') || null,
  };
}

const PLACEHOLDER = '{peer}';

/** The name of the Secret of one end, where `usual` is that of the fleet. */
export const secretOf = ({ peer, names }: SideState, usual: string | null): string | null =>
  names.secret ?? (usual === null ? null : filled(usual, peer));

const filled = (pattern: string, peer: string): string => pattern.replaceAll(PLACEHOLDER, peer);

export interface NamedSecret {
  readonly peer: string;
  readonly secret: string;
}

/** The name of most Secrets of the first generation, with `{peer}` in place of the peer's name; `null` without Secrets. */
export function usualSecret(secrets: readonly NamedSecret[]): string | null {
  const counts = new Map<string, number>();
  for (const { peer, secret } of secrets) {
    const literal = secret.includes(peer) ? secret : generationIn(secret).first;
    for (const it of new Set([literal, generationIn(secret.replaceAll(peer, () => PLACEHOLDER)).first])) {
      counts.set(it, (counts.get(it) ?? 0) + 1);
    }
  }
  // Among equally frequent names, one without a placeholder: the name of a peer may be a part of the Secret's name.
  const [most] = [...counts].sort(
    ([a, m], [b, n]) => n - m || a.split(PLACEHOLDER).length - b.split(PLACEHOLDER).length,
  );
  return most?.[0] ?? null;
}

/** The names, with that of the Secret only when it differs from the usual one. */
export const withUsualSecret = (names: NamesState, peer: string, usual: string | null): NamesState =>
  usual !== null && names.secret === filled(usual, peer) ? { ...names, secret: null } : names;

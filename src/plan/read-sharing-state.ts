import { isKustomization, parseBundlePath } from '../base/core/bundle-path.ts';
import { by, sortedRecord } from '../base/core/collections.ts';
import { REMOTE_CLUSTER_LABEL } from '../base/releases/labels.ts';
import type { Files, Folders } from './folder-state.ts';
import { type OffloadingState, type ShareState, type SharingState, type SliceState, shareOf } from './network-state.ts';
import { listAt, type ManifestLines, readManifestLines } from './read-manifest-lines.ts';

/** Loans between clusters and offloaded namespaces, from the folders of all clusters. */
export function readSharingState(folders: Folders): SharingState {
  const shares = new Map<string, ShareState>();
  const offloadings = new Map<string, OffloadingState>();
  for (const folder of folders.values()) {
    for (const it of folder.shares) {
      const key = shareOf(it.consumer, it.provider);
      const other = shares.get(key);
      shares.set(key, other === undefined ? it : bothHalves(other, it));
    }
    for (const it of folder.offloadings) offloadings.set(shareOf(it.cluster, it.namespace), it);
  }
  return { shares: new Map([...shares].sort(byKey)), offloadings: new Map([...offloadings].sort(byKey)) };
}

/** Merges the two halves of a loan. Each kind of object is in only one of the two folders. */
const bothHalves = (a: ShareState, b: ShareState): ShareState => ({
  consumer: a.consumer,
  provider: a.provider,
  tenant: a.tenant ?? b.tenant,
  identity: a.identity ?? b.identity,
  credentials: a.credentials ?? b.credentials,
  slices: a.slices.length > 0 ? a.slices : b.slices,
});

/** The loans in the folder of a cluster. */
export function readShares(folder: string, files: Files): readonly ShareState[] {
  const pairs = new Map<string, Pair>();
  for (const { place, text } of filesIn(folder, 'sharing', files)) {
    collectPairs(pairs, place.cluster, place.name, readManifestLines(text));
  }
  return [...pairs.values()].map(readShare);
}

/** The namespaces that the folder of a cluster offloads. */
export const readOffloadings = (folder: string, files: Files): readonly OffloadingState[] =>
  filesIn(folder, 'offloading', files).flatMap(
    ({ place, text }) => readOffloading(place.cluster, readManifestLines(text)) ?? [],
  );

/** The files about shared resources in a folder, without their kustomization. */
function filesIn(folder: string, part: 'sharing' | 'offloading', files: Files) {
  const above = `${folder}/${part}/`;
  return [...files].flatMap(([path, text]) => {
    const place = path.startsWith(above) ? parseBundlePath(path) : undefined;
    return place?.part === part && !isKustomization(place) ? [{ place, text }] : [];
  });
}

const byKey = by<readonly [string, unknown]>(([key]) => key);

/** The objects of one pair in one folder. */
interface Pair {
  readonly consumer: string;
  readonly provider: string;
  readonly objects: ManifestLines[];
}

const REMOTE = `metadata.labels.${REMOTE_CLUSTER_LABEL}`;

/** Kinds of objects in the provider, and in the consumer. */
const IN_PROVIDER = ['Secret', 'Tenant'];
const IN_CONSUMER = ['ExternalSecret', 'Identity', 'ResourceSlice', 'VirtualNode'];

/** Adds objects to their pairs. When two clusters lend to each other, one file contains both directions. */
function collectPairs(
  pairs: Map<string, Pair>,
  cluster: string,
  remote: string,
  objects: readonly ManifestLines[],
): void {
  for (const it of objects) {
    const kind = it.get('kind') ?? '';
    const isConsumer = IN_CONSUMER.includes(kind);
    if (!isConsumer && !IN_PROVIDER.includes(kind)) continue;
    const other = it.get(REMOTE) ?? remote;
    const [consumer, provider] = isConsumer ? [cluster, other] : [other, cluster];
    const key = shareOf(consumer, provider);
    const pair = pairs.get(key) ?? { consumer, provider, objects: [] };
    pairs.set(key, pair);
    pair.objects.push(it);
  }
}

function readShare({ consumer, provider, objects }: Pair): ShareState {
  const of = (kind: string): readonly ManifestLines[] => objects.filter((it) => it.get('kind') === kind);
  const [tenant, secret, identity, external] = ['Tenant', 'Secret', 'Identity', 'ExternalSecret'].map(
    (it) => of(it)[0],
  );
  const nodes = new Map(of('VirtualNode').map((it) => [it.get('metadata.name'), fieldsBelow(it, 'spec.')]));
  return {
    consumer,
    provider,
    tenant: tenant === undefined ? null : readTenant(tenant, secret),
    identity: identity === undefined ? null : readIdentity(identity),
    credentials: external === undefined ? null : sourceOf(external),
    slices: of('ResourceSlice')
      .map((it) => readSlice(it, nodes.get(it.get('metadata.name')) ?? null))
      .sort(by((it) => it.name)),
  };
}

const readTenant = (tenant: ManifestLines, nonce: ManifestLines | undefined): NonNullable<ShareState['tenant']> => ({
  condition: tenant.get('spec.tenantCondition') ?? '',
  policy: tenant.get('spec.authzPolicy') ?? '',
  publicKey: tenant.get('spec.publicKey') ?? null,
  request: tenant.get('spec.csr') ?? null,
  signature: tenant.get('spec.signature') ?? null,
  nonce: nonce?.get('data.nonce') ?? null,
});

const readIdentity = (identity: ManifestLines): NonNullable<ShareState['identity']> => ({
  endpoint: {
    apiServer: identity.get('spec.authParams.apiServer') ?? '',
    ca: identity.get('spec.authParams.ca') ?? null,
    proxyURL: identity.get('spec.authParams.proxyURL') ?? null,
  },
  certificate: identity.get('spec.authParams.signedCRT') ?? '',
});

const REMOTE_REF = 'spec.data.0.remoteRef.';

function sourceOf(external: ManifestLines): string {
  const [kind, store] = ['kind', 'name'].map((it) => external.get(`spec.secretStoreRef.${it}`) ?? '');
  const [key, property] = ['key', 'property'].map((it) => external.get(`${REMOTE_REF}${it}`));
  return `${kind} ${store}, ${key ?? ''}${property === undefined ? '' : `, ${property}`}`;
}

const fieldsBelow = (object: ManifestLines, path: string): Readonly<Record<string, string>> =>
  sortedRecord(
    Object.fromEntries(
      [...object].flatMap(([key, value]) => (key.startsWith(path) ? [[key.slice(path.length), value]] : [])),
    ),
  );

const readSlice = (slice: ManifestLines, node: SliceState['node']): SliceState => ({
  name: slice.get('metadata.name') ?? '',
  class: slice.get('spec.class') ?? '',
  resources: fieldsBelow(slice, 'spec.resources.'),
  request: slice.get('spec.csr') ?? null,
  node,
});

/** The mapping strategy of the namespace in a provider: `DefaultName`, `EnforceSameName` or `SelectedName`. */
function remoteNameOf(offloading: ManifestLines, cluster: string, namespace: string): string {
  switch (offloading.get('spec.namespaceMappingStrategy')) {
    case 'EnforceSameName':
      return namespace;
    case 'SelectedName':
      return offloading.get('spec.remoteNamespaceName') ?? '';
    default:
      return `${namespace}-${cluster}`;
  }
}

const PROVIDERS = 'spec.clusterSelector.nodeSelectorTerms.0.matchExpressions.0.values';

function readOffloading(cluster: string, objects: readonly ManifestLines[]): OffloadingState | undefined {
  const offloading = objects.find((it) => it.get('kind') === 'NamespaceOffloading');
  const namespace = offloading?.get('metadata.namespace');
  if (offloading === undefined || namespace === undefined) return undefined;
  return {
    cluster,
    namespace,
    providers: listAt(offloading, PROVIDERS),
    pods: offloading.get('spec.podOffloadingStrategy') ?? '',
    mapping: offloading.get('spec.namespaceMappingStrategy') ?? '',
    remoteName: remoteNameOf(offloading, cluster, namespace),
    isCreated: objects.some((it) => it.get('kind') === 'Namespace'),
  };
}

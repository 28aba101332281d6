import { cryptography } from '#cryptography';
import { byCodeUnit, groupBy, sortedUnique } from '../../../base/core/collections.ts';
import { utf8Bytes } from '../../../base/core/encodings.ts';
import { oncePer } from '../../../base/core/once.ts';
import type { Span } from '../../../base/source/source.ts';
import type { ClusterDeclaration, Declaration } from '../../../fleet/topology/declaration.ts';
import type { Selector } from '../../../fleet/topology/selector.ts';
import type {
  OffloadingDeclaration,
  SharingDeclaration,
  SliceDeclaration,
} from '../../../fleet/topology/sharing-declaration.ts';

/** The loan from one cluster to another that the topology, the keys file and the identities file require. */
export interface ExpectedShare {
  readonly at: Span;
  readonly consumer: string;
  readonly provider: string;
  /** The tenant namespace of the provider, in the consumer. */
  readonly namespaceOfProvider: string;
  /** The tenant namespace of the consumer, in the provider. */
  readonly namespaceOfConsumer: string;
  readonly condition: SharingDeclaration['condition'];
  readonly auth: SharingDeclaration['auth'];
  /** The source of the kubeconfig with credentials; `null` when the Secret is created by hand. */
  readonly credentials: SharingDeclaration['credentials'];
  readonly slices: readonly ExpectedSlice[];
  /** The consumer's entry in the keys file for this provider; `null` without one. */
  readonly key: RecordedKey | null;
  /** The answer in the identities file; `null` without one. */
  readonly answer: RecordedAnswer | null;
}

export interface ExpectedSlice {
  readonly name: string;
  readonly class: string;
  readonly resources: Readonly<Record<string, string>>;
  /** `null` when Liqo creates the request. */
  readonly request: string | null;
  readonly virtualNode: SliceDeclaration['virtualNode'];
}

export interface RecordedKey {
  readonly publicKey: string;
  readonly nonce: string;
  readonly signature: string;
  readonly request: string;
  readonly slices: Readonly<Record<string, string>>;
}

interface RecordedAnswer {
  readonly apiServer: string;
  readonly ca: string | null;
  readonly certificate: string;
  readonly proxyURL: string | null;
}

interface Recorded {
  readonly keyOf: (consumer: string, provider: string) => RecordedKey | null;
  readonly answerOf: (consumer: string, provider: string) => RecordedAnswer | null;
  readonly namespaceIn: (cluster: string, remote: string) => string;
}

/** Every pair that `sharing` selects, by consumer, then by provider. Retired clusters neither lend nor borrow. */
export function expectShares(declaration: Declaration, recorded: Recorded): readonly ExpectedShare[] {
  const shares: ExpectedShare[] = [];
  for (const entry of declaration.sharing) {
    for (const consumer of clustersSelectedBy(entry.consumer, declaration.clusters)) {
      for (const provider of clustersSelectedBy(entry.provider, declaration.clusters)) {
        if (consumer === provider) continue;
        shares.push(expectShare(entry, [consumer, provider], recorded));
      }
    }
  }
  return shares.sort((a, b) => byCodeUnit(a.consumer, b.consumer) || byCodeUnit(a.provider, b.provider));
}

function expectShare(
  { at, condition, auth, credentials, slices }: SharingDeclaration,
  [consumer, provider]: readonly [ClusterDeclaration, ClusterDeclaration],
  { keyOf, answerOf, namespaceIn }: Recorded,
): ExpectedShare {
  const key = keyOf(consumer.name, provider.name);
  const expected = slices.map((it): ExpectedSlice => {
    const name = it.name?.value ?? usualSliceName(provider.name);
    const resources = Object.fromEntries(it.resources.map(([resource, { value }]) => [resource, value]));
    const request = key && Object.hasOwn(key.slices, name) ? (key.slices[name] ?? null) : null;
    return { name, class: it.class.value, resources, request, virtualNode: it.virtualNode };
  });
  return {
    at,
    consumer: consumer.name,
    provider: provider.name,
    namespaceOfProvider: namespaceIn(consumer.name, provider.name),
    namespaceOfConsumer: namespaceIn(provider.name, consumer.name),
    condition,
    auth,
    credentials: auth === 'credentials' ? credentials : null,
    slices: expected.sort((a, b) => byCodeUnit(a.name, b.name)),
    key,
    answer: answerOf(consumer.name, provider.name),
  };
}

/**
 * The default name of a slice, which differs from the provider's name: its gateway and that gateway's ServiceAccount
 * have that name. With the hash of a consumer (13 characters), the name of a slice must fit into a label of 63
 * characters.
 */
function usualSliceName(provider: string): string {
  const [usual, hash] = [`${provider}-slice`, hashOf(provider)];
  return usual.length <= 50 ? usual : `${provider.slice(0, 50 - `-${hash}-slice`.length)}-${hash}-slice`;
}

/** A namespace of a cluster whose pods may run in providers, as the topology requires. */
export interface ExpectedOffloading {
  readonly at: Span;
  readonly cluster: string;
  readonly namespace: string;
  readonly providers: readonly string[];
  readonly pods: OffloadingDeclaration['pods']['value'];
  readonly remoteName: string | null;
  readonly createNamespace: boolean;
}

/**
 * Every entry of `offloading` whose cluster is not retired. Its providers are limited to those that lend to the
 * cluster.
 */
export function expectOffloadings(
  { offloading, clusters }: Declaration,
  shares: readonly ExpectedShare[],
): readonly ExpectedOffloading[] {
  const lendersOf = groupBy(shares, ({ consumer }) => [consumer]);
  const present = new Set(clusters.filter((it) => !it.retired).map((it) => it.name));
  return offloading
    .filter((it) => present.has(it.cluster.value))
    .map((it): ExpectedOffloading => {
      const cluster = it.cluster.value;
      const lenders = new Set(lendersOf.get(cluster)?.map((share) => share.provider));
      const selected = it.to?.flatMap((selector) => clustersSelectedBy(selector, clusters)).map(({ name }) => name);
      return {
        at: it.at,
        cluster,
        namespace: it.namespace.value,
        providers: sortedUnique(selected ? selected.filter((name) => lenders.has(name)) : [...lenders]),
        pods: it.pods.value,
        remoteName: it.remoteName?.value ?? null,
        createNamespace: it.createNamespace,
      };
    })
    .sort((a, b) => byCodeUnit(a.cluster, b.cluster) || byCodeUnit(a.namespace, b.namespace));
}

/** The clusters that match a selector and are not retired: one by name, or each with all of the labels. */
export function clustersSelectedBy(
  selector: Selector,
  clusters: readonly ClusterDeclaration[],
): readonly ClusterDeclaration[] {
  const present = clusters.filter((it) => !it.retired);
  if (selector.kind === 'cluster') return present.filter((it) => it.name === selector.name);
  const wanted = Object.entries(selector.labels);
  return present.filter(({ labels }) =>
    wanted.every(([key, value]) => Object.entries(labels).some(([has, is]) => has === key && is === value)),
  );
}

/**
 * The suffix that Liqo adds to a name that is unique in only one cluster: the first six bytes of a hash, in
 * hexadecimal.
 */
export const hashOf = (cluster: string): string =>
  Array.from(cryptography.sha256(Uint8Array.from(utf8Bytes(cluster))).subarray(0, 6), (it) =>
    it.toString(16).padStart(2, '0'),
  ).join('');

type Shares = readonly ExpectedShare[];

/** Every object of a pair asks for its shares, and a mesh of a hundred clusters has ten thousand of them. */
const pairsOf = oncePer((shares: Shares) => ({
  byCluster: groupBy(shares, ({ consumer, provider }) => [consumer, provider]),
  byPair: new Map(shares.map((it) => [`${it.consumer}/${it.provider}`, it])),
}));

/** Shares in which a cluster borrows or lends, in the order of the list. */
export const sharesOf = (shares: Shares, cluster: string): Shares => pairsOf(shares).byCluster.get(cluster) ?? [];

/** The loan from a provider to a consumer. */
export const shareBetween = (shares: Shares, consumer: string, provider: string): ExpectedShare | undefined =>
  pairsOf(shares).byPair.get(`${consumer}/${provider}`);

/**
 * Progress of a share with the files in git. `waits`: for a key. `served`: without an answer in git. `connected`: with
 * an answer. `drained`: the remaining objects depend on the past.
 */
type Progress = 'drained' | 'waits' | 'served' | 'connected';

export function progressOf(share: ExpectedShare): Progress {
  if (share.condition === 'Drained') return 'drained';
  if (share.auth === 'credentials') return 'connected';
  if (share.key === null) return 'waits';
  return share.answer === null ? 'served' : 'connected';
}

/** The slices that become virtual nodes. Liqo accepts them automatically, but not for a cordoned tenant. */
export function nodesOf(share: ExpectedShare): readonly ExpectedSlice[] {
  const isAnswered = progressOf(share) === 'connected' && share.condition === 'Active';
  return isAnswered ? share.slices.filter((it) => it.class === 'default') : [];
}

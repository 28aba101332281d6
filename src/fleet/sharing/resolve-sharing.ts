import { by, byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { UNKNOWN_KEY } from '../../base/core/key-pair.ts';
import { quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic, inSourceOrder } from '../../base/diagnostics/diagnostic.ts';
import { bug, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { AddressedCluster, AddressedModel } from '../ipam/addressed-model.ts';
import { type Selector, selectClusters } from '../topology/selector.ts';
import type { OffloadingDeclaration, SharingDeclaration, SliceDeclaration } from '../topology/sharing-declaration.ts';
import {
  type RecordedAuthentication,
  type RecordedIdentities,
  readAuthentication,
  readIdentities,
  type SharingInputs,
} from './recorded-inputs.ts';
import {
  answersAreForTheirConsumer,
  answersAreForTheRecordedKey,
  answersBelongToALoan,
  answersNameTheApiServer,
  providersHaveAnswered,
} from './rules/answers.ts';
import { apiServersLieOutsideTunnels, providersHaveAnApiServer } from './rules/api-servers.ts';
import {
  certificatesAreRenewed,
  credentialsHaveASource,
  providersHaveTheirOwnKubeconfig,
  providersSignCertificates,
} from './rules/certificates.ts';
import {
  authenticationKeysAreKeys,
  authenticationKeysAreUsedOnce,
  consumersHaveAKey,
  noncesAreSigned,
  providersAcceptTheKey,
  requestsAreForTheirCluster,
} from './rules/keys.ts';
import {
  consumersReadMetrics,
  directConnectionsNeedEveryLink,
  loansAreActive,
  loansHaveALink,
  loansHaveTheirParts,
} from './rules/loans.ts';
import {
  namespacesAreOffloadedOnce,
  namespacesAreReflected,
  namespacesHaveAProvider,
  probersStay,
  remoteNamesAreFree,
  remoteNamesDiffer,
  remoteNamesFit,
  systemNamespacesStay,
} from './rules/namespaces.ts';
import type { SharingRule } from './rules/sharing-rule.ts';
import {
  classesAreAnswered,
  providersHaveTheCapacity,
  sliceNamesAreUnique,
  slicesHoldPods,
  slicesUseAnAccountOfTheirOwn,
  taintsAreListedOnce,
} from './rules/slices.ts';
import {
  type ClusterSharing,
  defaultSliceName,
  type OffloadedNamespace,
  type Partner,
  type Share,
  type SharedModel,
  type Slice,
} from './shared-model.ts';

/** Every rule about shared resources. */
const SHARING_RULES: readonly SharingRule[] = [
  sliceNamesAreUnique,
  slicesUseAnAccountOfTheirOwn,
  slicesHoldPods,
  taintsAreListedOnce,
  classesAreAnswered,
  remoteNamesFit,
  remoteNamesDiffer,
  remoteNamesAreFree,
  systemNamespacesStay,
  probersStay,
  namespacesHaveAProvider,
  namespacesAreOffloadedOnce,
  namespacesAreReflected,
  directConnectionsNeedEveryLink,
  loansHaveALink,
  loansHaveTheirParts,
  loansAreActive,
  credentialsHaveASource,
  providersHaveTheirOwnKubeconfig,
  providersHaveTheCapacity,
  providersHaveAnApiServer,
  providersSignCertificates,
  apiServersLieOutsideTunnels,
  certificatesAreRenewed,
  consumersReadMetrics,
  consumersHaveAKey,
  authenticationKeysAreKeys,
  noncesAreSigned,
  requestsAreForTheirCluster,
  authenticationKeysAreUsedOnce,
  providersAcceptTheKey,
  providersHaveAnswered,
  answersBelongToALoan,
  answersAreForTheRecordedKey,
  answersAreForTheirConsumer,
  answersNameTheApiServer,
];

/** Resolves the loans between clusters, with keys and answers, and applies every rule about them. */
export function resolveSharing(model: AddressedModel, inputs: SharingInputs): Outcome<SharedModel> {
  const { declaration, keys, identities } = inputs;
  const listed = listShares(model, declaration.sharing);
  const shares = resolveShares(listed.requests, {
    authentication: readAuthentication(keys),
    identities: readIdentities(identities),
  });
  const offloadings = resolveOffloadings(model, declaration.offloading, shares);
  const shared: SharedModel = {
    ...model,
    shares,
    offloadings: offloadings.namespaces,
    sharing: sharingByCluster(shares, offloadings.namespaces),
  };
  const remarks = SHARING_RULES.flatMap((rule) => [...rule({ model: shared, inputs })]);
  const found = foldByEntry([...listed.found, ...offloadings.found, ...remarks]);
  return outcome(shared, inSourceOrder(found, [declaration.source, keys?.source, identities?.source]));
}

/** Loans and offloaded namespaces by the clusters that are in them. */
export function sharingByCluster(
  shares: readonly Share[],
  offloadings: readonly OffloadedNamespace[],
): ReadonlyMap<string, ClusterSharing> {
  const names = new Set([
    ...shares.flatMap((it) => [it.consumer.name, it.provider.name]),
    ...offloadings.map((it) => it.cluster.name),
  ]);
  const of = new Map(
    [...names].map((name) => [
      name,
      { borrows: [] as Share[], lends: [] as Share[], offloads: [] as OffloadedNamespace[] },
    ]),
  );
  for (const it of shares) {
    of.get(it.consumer.name)?.borrows.push(it);
    of.get(it.provider.name)?.lends.push(it);
  }
  for (const it of offloadings) of.get(it.cluster.name)?.offloads.push(it);
  for (const { lends } of of.values()) lends.sort(by((it) => it.consumer.name));
  return new Map([...of].map(([name, it]) => [name, { ...it, partners: partnersIn(it) }]));
}

function partnersIn({ borrows, lends }: Pick<ClusterSharing, 'borrows' | 'lends'>): readonly Partner[] {
  const partners = new Map<string, Partner>();
  for (const it of borrows) partners.set(it.provider.name, { cluster: it.provider, borrowed: it, lent: null });
  for (const it of lends) {
    const borrowed = partners.get(it.consumer.name)?.borrowed ?? null;
    partners.set(it.consumer.name, { cluster: it.consumer, borrowed, lent: it });
  }
  return [...partners.values()].sort(by((it) => it.cluster.name));
}

interface Recorded {
  readonly authentication: RecordedAuthentication;
  readonly identities: RecordedIdentities;
}

/** The pairs with their tunnel, their slices, and their recorded data. */
function resolveShares(requests: readonly ShareRequest[], { authentication, identities }: Recorded): readonly Share[] {
  return requests.map(({ entry, consumer, provider }): Share => {
    const found = authentication.get(consumer.name);
    const recorded = found === UNKNOWN_KEY ? undefined : found;
    return {
      at: entry.at,
      consumer,
      provider,
      link: consumer.peers.get(provider.name)?.link ?? null,
      condition: entry.condition,
      auth: entry.auth,
      credentials: entry.auth === 'credentials' ? entry.credentials : null,
      slices: entry.slices
        .map((it) => resolveSlice(it, provider.name, recorded?.slices ?? new Map()))
        .sort(by((it) => it.name)),
      key: recorded === undefined ? null : { ...recorded.key, ...recorded.providers?.get(provider.name) },
      hasUnknownKey: found === UNKNOWN_KEY,
      identity: identities.get(consumer.name)?.get(provider.name) ?? null,
    };
  });
}

function resolveSlice(written: SliceDeclaration, provider: string, requests: ReadonlyMap<string, string>): Slice {
  const name = written.name?.value ?? defaultSliceName(provider);
  return {
    at: written.name?.at ?? written.at,
    name,
    class: written.class.value,
    resources: Object.fromEntries(written.resources.map(([resource, quantity]) => [resource, quantity.value])),
    request: requests.get(name) ?? null,
    virtualNode: written.virtualNode,
  };
}

/** One pair of clusters that an entry of `sharing` selects. */
interface ShareRequest {
  readonly entry: SharingDeclaration;
  readonly consumer: AddressedCluster;
  readonly provider: AddressedCluster;
}

interface Listed {
  /** Pairs by consumer, then by provider, without duplicates. */
  readonly requests: readonly ShareRequest[];
  readonly found: readonly Diagnostic[];
}

/** Every pair that the entries select. Retired clusters lend and borrow nothing. */
function listShares({ clusters }: AddressedModel, entries: readonly SharingDeclaration[]): Listed {
  const requests = new Map<string, ShareRequest>();
  const found: Diagnostic[] = [];
  for (const entry of entries) {
    const pairs = pairsOf(clusters, entry);
    if (pairs.length === 0 && !namesRetired(clusters, entry)) found.push(selectsNothing(entry));
    for (const it of pairs) {
      const id = `${it.consumer.name}/${it.provider.name}`;
      const first = requests.get(id);
      if (first === undefined) requests.set(id, it);
      else found.push(declaredTwice(it, first));
    }
  }
  const inOrder = [...requests.values()].sort(
    (a, b) => byCodeUnit(a.consumer.name, b.consumer.name) || byCodeUnit(a.provider.name, b.provider.name),
  );
  return { requests: inOrder, found };
}

function pairsOf(clusters: ReadonlyMap<string, AddressedCluster>, entry: SharingDeclaration): readonly ShareRequest[] {
  const select = (selector: Selector) => selectClusters(clusters, selector).filter((it) => !it.retired);
  const providers = select(entry.provider);
  return select(entry.consumer).flatMap((consumer) =>
    providers.filter((it) => it !== consumer).map((provider) => ({ entry, consumer, provider })),
  );
}

/** True when an entry names a retired cluster. It then creates no loan, as with links: one line retires a cluster. */
const namesRetired = (clusters: AddressedModel['clusters'], { consumer, provider }: SharingDeclaration): boolean =>
  [consumer, provider].some((it) => it.kind === 'cluster' && clusters.get(it.name)?.retired === true);

function selectsNothing({ at, consumer, provider }: SharingDeclaration): Diagnostic {
  const [borrower, lender] = [consumer, provider].map((it) => (it.kind === 'cluster' ? it.name : null));
  if (borrower != null && borrower === lender) {
    return diagnostic('sharing/matches-nothing', at, `${quoted(borrower)} is both the consumer and the provider`, {
      hint: 'name two different clusters, or remove the entry',
    });
  }
  return diagnostic('sharing/matches-nothing', at, 'the entry selects no two different clusters that are not retired', {
    hint: 'correct the names or labels, or remove the entry',
  });
}

function declaredTwice({ entry, consumer, provider }: ShareRequest, first: ShareRequest): Diagnostic {
  const message = `${quoted(consumer.name)} borrows from ${quoted(provider.name)} by another entry already`;
  return diagnostic('sharing/declared-twice', entry.at, message, {
    hint: 'keep one entry for each pair; several slices of one pair go below its `slices`',
    related: [{ span: first.entry.at, message: 'the other entry' }],
  });
}

/** Merges diagnostics with one cause: an entry with labels makes the same mistake for every pair that it selects. */
function foldByEntry(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const byPlace = groupBy(found, ({ code, span }) => [`${code} ${span.source.path} ${span.start} ${span.end}`]);
  return [...byPlace.values()].flatMap(([first, ...more]) => {
    if (first === undefined || more.length === 0) return first ?? [];
    return [{ ...first, message: `${first.message} (and ${more.length} more of this entry)` }];
  });
}

interface Resolved {
  /** Namespaces by cluster, then by name, without duplicates. */
  readonly namespaces: readonly OffloadedNamespace[];
  readonly found: readonly Diagnostic[];
}

/** The namespaces with their providers. Those of retired clusters are left out. */
function resolveOffloadings(
  { clusters }: AddressedModel,
  entries: readonly OffloadingDeclaration[],
  shares: readonly Share[],
): Resolved {
  const namespaces = new Map<string, OffloadedNamespace>();
  const found: Diagnostic[] = [];
  const lent = groupBy(shares, (it) => [it.consumer.name]);
  for (const entry of entries) {
    const cluster = clusters.get(entry.cluster.value) ?? bug(`no cluster is called "${entry.cluster.value}"`);
    if (cluster.retired) continue;
    const { providers, others } = providersOf(entry, { clusters, loans: lent.get(cluster.name) ?? [] });
    for (const it of others) found.push(borrowsNothing(it, cluster));
    const id = `${cluster.name}/${entry.namespace.value}`;
    const first = namespaces.get(id);
    if (first === undefined) namespaces.set(id, resolve(entry, cluster, providers));
    else found.push(offloadedTwice(entry, first));
  }
  const inOrder = [...namespaces.values()].sort(
    (a, b) => byCodeUnit(a.cluster.name, b.cluster.name) || byCodeUnit(a.namespace, b.namespace),
  );
  return { namespaces: inOrder, found };
}

interface OffloadingFleet {
  readonly clusters: AddressedModel['clusters'];
  /** The loans to the cluster of the namespace. */
  readonly loans: readonly Share[];
}

/** The providers that an entry selects, by name, and the named clusters that lend nothing to its cluster. */
function providersOf({ to }: OffloadingDeclaration, { clusters, loans }: OffloadingFleet) {
  const lenders = new Map(loans.map((it) => [it.provider.name, it.provider]));
  if (to === null) return { providers: [...lenders.values()], others: [] };
  const named = to.filter((it) => it.kind === 'cluster');
  const labelled = to.filter((it) => it.kind === 'labels').flatMap((it) => selectClusters(lenders, it));
  const providers = new Set([...named.flatMap((it) => lenders.get(it.name) ?? []), ...labelled]);
  // A named cluster that is retired is no mistake: one line retires a cluster.
  const others = named.filter((it) => !lenders.has(it.name) && clusters.get(it.name)?.retired === false);
  return { providers: [...providers].sort(by((it) => it.name)), others };
}

function resolve(
  entry: OffloadingDeclaration,
  cluster: AddressedCluster,
  providers: readonly AddressedCluster[],
): OffloadedNamespace {
  const namespace = entry.namespace.value;
  const chosen = entry.remoteName?.value;
  return {
    at: entry.at,
    cluster,
    namespace,
    providers,
    pods: entry.pods.value,
    mapping: chosen === undefined ? 'DefaultName' : chosen === namespace ? 'EnforceSameName' : 'SelectedName',
    remoteName: chosen ?? `${namespace}-${cluster.name}`,
    createNamespace: entry.createNamespace,
    directConnections: entry.directConnections,
  };
}

const borrowsNothing = ({ at, name }: Selector & { readonly kind: 'cluster' }, cluster: AddressedCluster): Diagnostic =>
  diagnostic('sharing/not-a-provider', at, `${quoted(cluster.name)} borrows nothing from ${quoted(name)}`, {
    hint: `add \`- { consumer: ${cluster.name}, provider: ${name} }\` to \`sharing\`, or remove it from \`to\``,
  });

const offloadedTwice = (entry: OffloadingDeclaration, first: OffloadedNamespace): Diagnostic =>
  diagnostic(
    'sharing/offloaded-twice',
    entry.namespace.at,
    `namespace ${quoted(entry.namespace.value)} of ${quoted(entry.cluster.value)} is offloaded by another entry already`,
    {
      hint: 'a namespace has one NamespaceOffloading: list every provider in one entry',
      related: [{ span: first.at, message: 'the other entry' }],
    },
  );

import { by, byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { UNKNOWN_KEY } from '../../base/core/unknown-key.ts';
import { quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic, inSourceOrder } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { AddressedCluster, AddressedModel } from '../ipam/addressed-model.ts';
import { selectClusters } from '../model/select-clusters.ts';
import type { Selector } from '../topology/selector.ts';
import type { SharingDeclaration, SliceDeclaration } from '../topology/sharing-declaration.ts';
import { defaultSliceName } from './default-slice-name.ts';
import {
  type RecordedAuthentication,
  type RecordedIdentities,
  readAuthentication,
  readIdentities,
  type SharingInputs,
} from './recorded-inputs.ts';
import { resolveOffloadings } from './resolve-offloadings.ts';
import { SHARING_RULES } from './rules/sharing-rules.ts';
import type { ClusterSharing, OffloadedNamespace, Partner, Share, SharedModel, Slice } from './shared-model.ts';

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
    sharing: byCluster(shares, offloadings.namespaces),
  };
  const remarks = SHARING_RULES.flatMap((rule) => [...rule({ model: shared, inputs })]);
  const found = foldByEntry([...listed.found, ...offloadings.found, ...remarks]);
  return outcome(shared, inSourceOrder(found, [declaration.source, keys?.source, identities?.source]));
}

function byCluster(
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

const selectsNothing = ({ at }: SharingDeclaration): Diagnostic =>
  diagnostic('sharing/matches-nothing', at, 'the entry selects no two different clusters that are not retired', {
    hint: 'correct the names or labels, or remove the entry',
  });

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

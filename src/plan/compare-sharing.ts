import { groupBy, sortedUnique } from '../base/core/collections.ts';
import type { Difference, RemoteNamespace, SliceName } from './difference.ts';
import {
  type OffloadingState,
  type SharePair,
  type ShareState,
  type SharingState,
  type SliceState,
  shareOf,
} from './network-state.ts';

/** The differences in shared resources: namespaces before shares, because they must be removed in that order. */
export function* compareSharing(before: SharingState, after: SharingState): Iterable<Difference> {
  const left = new Set(remoteNamespaces(after).map(identityOf));
  const gone = remoteNamespaces(before).filter((it) => !left.has(identityOf(it)));
  yield* compareOffloadings(before, after, gone);
  yield* compareShares(before, after, gone);
  yield* compareAuthentication(before, after);
}

const identityOf = ({ cluster, namespace, provider, name }: RemoteNamespace): string =>
  [cluster, namespace, provider, name].join('/');

/** @param gone the namespaces of providers that no longer exist afterwards */
function* compareShares(
  before: SharingState,
  after: SharingState,
  gone: readonly RemoteNamespace[],
): Iterable<Difference> {
  const left = groupBy(
    gone.filter((it) => isOfShare(it, before, after)),
    (it) => [shareOf(it.cluster, it.provider)],
  );
  for (const key of sortedUnique([...before.shares.keys(), ...after.shares.keys()])) {
    const [was, is] = [before.shares.get(key), after.shares.get(key)];
    const deleted = left.get(key) ?? [];
    if (was && is) yield* compareShare(was, is, deleted, { before, after });
    else if (was) {
      const policy = was.tenant?.policy ?? null;
      yield { kind: 'share-removed', ...sharePairOf(was), slices: sliceNames(was), policy, deleted };
    } else if (is) {
      const [policy, endpoint] = [is.tenant?.policy ?? null, is.identity?.endpoint ?? null];
      const lent = is.slices.map((it) => ({ class: it.class, resources: it.resources }));
      const publicKey = keyOfShare(is);
      yield { kind: 'share-added', ...sharePairOf(is), slices: sliceNames(is), policy, endpoint, publicKey, lent };
    }
  }
}

/**
 * True when the share causes the removal. A namespace that is no longer offloaded, gets another name, or leaves a
 * provider that continues to lend is removed for that reason instead.
 */
function isOfShare(it: RemoteNamespace, before: SharingState, after: SharingState): boolean {
  const [was, is] = [before, after].map(({ offloadings }) => offloadings.get(shareOf(it.cluster, it.namespace)));
  if (is === undefined || was?.mapping !== is.mapping || was.remoteName !== is.remoteName) return false;
  return is.providers.includes(it.provider) || !after.shares.has(shareOf(it.cluster, it.provider));
}

const sharePairOf = ({ consumer, provider }: SharePair): SharePair => ({ consumer, provider });

const sliceNames = ({ slices }: ShareState): readonly string[] => slices.map((it) => it.name);

function* compareShare(
  was: ShareState,
  is: ShareState,
  gone: readonly RemoteNamespace[],
  around: { readonly before: SharingState; readonly after: SharingState },
): Iterable<Difference> {
  const pair = sharePairOf(is);
  if (was.tenant && is.tenant) {
    const [from, to] = [was.tenant, is.tenant];
    if (from.condition !== to.condition) {
      const deleted = to.condition === 'Drained' ? gone : [];
      yield { kind: 'condition-changed', ...pair, from: from.condition, to: to.condition, deleted };
    }
    if (from.policy !== to.policy) yield { kind: 'policy-changed', ...pair, from: from.policy, to: to.policy };
  }
  // A consumer that changes to credentials is another change.
  if (was.credentials !== is.credentials && was.tenant?.policy === is.tenant?.policy) {
    yield { kind: 'credentials-changed', ...pair, from: was.credentials, to: is.credentials };
  }
  yield* compareIdentity(was, is);
  yield* compareSlices(was, is, around);
}

function* compareIdentity(before: ShareState, share: ShareState): Iterable<Difference> {
  const [was, is] = [before.identity, share.identity];
  const pair = sharePairOf(share);
  // A consumer with credentials has no nonce, and one with another key gets another nonce.
  const isReplaced = isAnotherKey(before, share) || before.tenant?.policy !== share.tenant?.policy;
  if (was && !is && !isReplaced) yield { kind: 'identity-removed', ...pair, from: was.endpoint };
  if (is && !was) yield { kind: 'identity-added', ...pair, to: is.endpoint };
  if (!was || !is || JSON.stringify(was) === JSON.stringify(is)) return;
  const newCertificate = was.certificate !== is.certificate;
  yield { kind: 'identity-changed', ...pair, from: was.endpoint, to: is.endpoint, newCertificate };
}

/** Compares authentication keys. A consumer has one key for all its providers, so there is one change per consumer. */
function* compareAuthentication(before: SharingState, after: SharingState): Iterable<Difference> {
  const pairs = [...after.shares].flatMap(([key, is]): readonly ComparedPair[] => {
    const was = before.shares.get(key);
    // A consumer that changes to credentials loses its key, and one that changes back gets one.
    const isComparable = was !== undefined && (!was.tenant || !is.tenant || was.tenant.policy === is.tenant.policy);
    return isComparable ? [{ was, is }] : [];
  });
  for (const [consumer, all] of groupBy(pairs, ({ is }) => [is.consumer])) {
    const of = (pick: (it: ComparedPair) => boolean) => {
      const found = all.filter(pick);
      return { consumer, providers: found.map(({ is }) => is.provider), pairs: found };
    };
    const [added, removed] = [
      of(({ was, is }) => !keyOfShare(was) && keyOfShare(is) !== null),
      of(({ was, is }) => keyOfShare(was) !== null && !keyOfShare(is)),
    ];
    const to = added.pairs.map(({ is }) => keyOfShare(is))[0] ?? null;
    if (to !== null) yield { kind: 'authentication-added', consumer, providers: added.providers, to };
    yield* changedKey(of(({ was, is }) => isAnotherKey(was, is)));
    if (removed.pairs.length > 0) yield { kind: 'authentication-removed', consumer, providers: removed.providers };
    const nonces = of((it) => !isAnotherKey(it.was, it.is) && isAnotherNonce(it));
    if (nonces.pairs.length > 0) yield { kind: 'nonce-changed', consumer, providers: nonces.providers };
  }
}

interface ComparedPair {
  readonly was: ShareState;
  readonly is: ShareState;
}

const keyOfShare = ({ tenant }: ShareState): string | null => tenant?.publicKey ?? null;

/**
 * True for another key or request. A provider compares the request with the one that it has signed, so a new request
 * for the same key is included.
 */
const isAnotherKey = (was: ShareState, is: ShareState): boolean =>
  keyOfShare(was) !== null &&
  keyOfShare(is) !== null &&
  (keyOfShare(was) !== keyOfShare(is) || was.tenant?.request !== is.tenant?.request);

const isAnotherNonce = ({ was, is }: ComparedPair): boolean =>
  keyOfShare(was) !== null &&
  keyOfShare(is) !== null &&
  (was.tenant?.nonce !== is.tenant?.nonce || was.tenant?.signature !== is.tenant?.signature);

interface Found {
  readonly consumer: string;
  readonly providers: readonly string[];
  readonly pairs: readonly ComparedPair[];
}

function* changedKey({ consumer, providers, pairs }: Found): Iterable<Difference> {
  const [first] = pairs;
  if (first === undefined) return;
  const slices = pairs.flatMap(({ was, is: { provider, slices: now } }) => {
    const known = new Set(was.slices.map((it) => it.name));
    return now.filter((it) => known.has(it.name)).map((it) => ({ ...it, provider }));
  });
  const name = ({ provider, name: slice }: (typeof slices)[number]): SliceName => ({ consumer, provider, slice });
  yield {
    kind: 'authentication-changed',
    consumer,
    providers,
    from: keyOfShare(first.was) ?? '',
    to: keyOfShare(first.is) ?? '',
    slices: slices.map(name),
    dropped: pairs.filter(({ was, is }) => was.identity !== null && is.identity === null).map(({ is }) => is.provider),
    madeByLiqo: slices.filter((it) => it.request === null).map(name),
  };
}

/** @param gone the namespaces of providers that no longer exist afterwards */
function* compareOffloadings(
  before: SharingState,
  after: SharingState,
  gone: readonly RemoteNamespace[],
): Iterable<Difference> {
  const byNamespace = (list: readonly RemoteNamespace[]) => groupBy(list, (it) => [shareOf(it.cluster, it.namespace)]);
  const [remote, deleted] = [byNamespace(remoteNamespaces(before)), byNamespace(gone)];
  for (const key of sortedUnique([...before.offloadings.keys(), ...after.offloadings.keys()])) {
    const [was, is] = [before.offloadings.get(key), after.offloadings.get(key)];
    const around = { before, after, remote: remote.get(key) ?? [], gone: deleted.get(key) ?? [] };
    if (was && is) yield* compareOffloading(was, is, around);
    else if (was) {
      yield { kind: 'namespace-withdrawn', ...namespaceNameOf(was), providers: was.providers, deleted: around.gone };
    } else if (is) {
      yield { kind: 'namespace-offloaded', ...namespaceNameOf(is), providers: is.providers, remoteName: is.remoteName };
    }
  }
}

const namespaceNameOf = ({ cluster, namespace }: OffloadingState) => ({ cluster, namespace });

interface Around {
  readonly before: SharingState;
  readonly after: SharingState;
  /** The namespaces in providers for this one, and the removed ones among them. */
  readonly remote: readonly RemoteNamespace[];
  readonly gone: readonly RemoteNamespace[];
}

function* compareOffloading(was: OffloadingState, is: OffloadingState, around: Around): Iterable<Difference> {
  const name = namespaceNameOf(is);
  const isRenamed = was.mapping !== is.mapping || was.remoteName !== is.remoteName;
  // Both fields are immutable, so the object is created again even when another strategy results in the same name.
  if (isRenamed) {
    const [from, to] = [was, is].map((it) => ({ mapping: it.mapping, name: it.remoteName }));
    if (from && to) yield { kind: 'remote-name-changed', ...name, from, to, deleted: around.remote };
  }
  // A provider that starts or stops lending is part of that change.
  const shares = ({ shares: all }: SharingState, it: string): boolean => all.has(shareOf(was.cluster, it));
  const removed = was.providers.filter((it) => !is.providers.includes(it) && shares(around.after, it));
  const added = is.providers.filter((it) => !was.providers.includes(it) && shares(around.before, it));
  if (removed.length + added.length > 0) {
    const deleted = isRenamed ? [] : around.gone.filter((it) => removed.includes(it.provider));
    yield { kind: 'providers-changed', ...name, added, removed, deleted };
  }
  if (was.pods !== is.pods) yield { kind: 'pods-changed', ...name, from: was.pods, to: is.pods };
  if (was.isCreated !== is.isCreated) yield { kind: 'namespace-owner-changed', ...name, isCreated: is.isCreated };
}

/** Compares the slices of a pair that shares before and afterwards. */
function* compareSlices(was: ShareState, is: ShareState, around: AroundSlices): Iterable<Difference> {
  const { consumer, provider } = is;
  const [old, now] = [byName(was), byName(is)];
  const removed = was.slices.filter((it) => !now.has(it.name));
  // The namespaces in the provider are deleted with the last virtual node of a pair, and new ones are created only
  // later.
  const isReplaced = removed.length > 0 && removed.length === was.slices.length;
  const deleted = isReplaced ? namespacesThatStay(is, around) : [];
  for (const [index, { name: slice }] of removed.entries()) {
    const itsOwn = index === 0 ? deleted : [];
    yield { kind: 'slice-removed', consumer, provider, slice, isReplaced, deleted: itsOwn };
  }
  // Requests for another key are part of that change.
  const isSameKey = was.tenant?.publicKey === is.tenant?.publicKey;
  for (const it of is.slices) {
    const earlier = old.get(it.name);
    const name = { consumer, provider, slice: it.name };
    if (earlier === undefined) yield { kind: 'slice-added', ...name, resources: it.resources };
    else yield* compareSlice(earlier, it, name, isSameKey);
  }
}

interface AroundSlices {
  readonly before: SharingState;
  readonly after: SharingState;
}

/** The namespaces of a pair that no other change deletes: they are created again, empty. */
function namespacesThatStay(
  { consumer, provider }: ShareState,
  { before, after }: AroundSlices,
): readonly RemoteNamespace[] {
  const ofPair = (it: RemoteNamespace): boolean => it.cluster === consumer && it.provider === provider;
  const left = new Set(
    remoteNamespaces(after)
      .filter(ofPair)
      .map((it) => it.namespace),
  );
  return remoteNamespaces(before).filter((it) => {
    if (!ofPair(it) || !left.has(it.namespace)) return false;
    const [was, is] = [before, after].map(({ offloadings }) => offloadings.get(shareOf(consumer, it.namespace)));
    return was?.mapping === is?.mapping && was?.remoteName === is?.remoteName;
  });
}

const byName = ({ slices }: ShareState): ReadonlyMap<string, SliceState> => new Map(slices.map((it) => [it.name, it]));

function* compareSlice(was: SliceState, is: SliceState, name: SliceName, isSameKey: boolean): Iterable<Difference> {
  if (JSON.stringify(was.resources) !== JSON.stringify(is.resources)) {
    yield { kind: 'resources-changed', ...name, from: was.resources, to: is.resources };
  }
  if (was.class !== is.class) yield { kind: 'class-changed', ...name, from: was.class, to: is.class };
  if (JSON.stringify(was.node) !== JSON.stringify(is.node)) {
    yield { kind: 'node-changed', ...name, from: was.node, to: is.node };
  }
  if (isSameKey && was.request !== is.request)
    yield { kind: 'request-changed', ...name, from: was.request, to: is.request };
}

/**
 * The namespaces that Liqo has created in providers; none when the provider is drained, and none when the files contain
 * neither half of the handshake.
 */
export function remoteNamespaces({ shares, offloadings }: SharingState): readonly RemoteNamespace[] {
  return [...offloadings.values()].flatMap(({ cluster, namespace, providers, remoteName: name }) =>
    providers.flatMap((provider): readonly RemoteNamespace[] => {
      const share = shares.get(shareOf(cluster, provider));
      const isDrained = share?.tenant?.condition === 'Drained';
      const isConnected = share !== undefined && (share.tenant !== null || share.identity !== null);
      return isConnected && !isDrained ? [{ cluster, namespace, provider, name }] : [];
    }),
  );
}

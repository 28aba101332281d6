import { groupBy, sortedUnique } from '../base/core/collections.ts';
import { compareOffloadings, compareSlices, remoteNamespaces } from './compare-offloadings.ts';
import type { Difference, RemoteNamespace, SliceName } from './difference.ts';
import { type SharePair, type ShareState, type SharingState, shareOf } from './sharing-state.ts';

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

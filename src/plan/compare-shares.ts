import { groupBy } from '../base/core/group-by.ts';
import { sortedUnique } from '../base/core/order.ts';
import { isAnotherKey } from './compare-authentication.ts';
import { compareSlices } from './compare-slices.ts';
import type { Difference, RemoteNamespace } from './difference.ts';
import { type SharePair, type ShareState, type SharingState, shareOf } from './sharing-state.ts';

/** @param gone the namespaces of providers that there are no more afterwards */
export function* compareShares(
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
      yield { kind: 'share-removed', ...pairOf(was), slices: namesOf(was), policy, deleted };
    } else if (is) {
      const [policy, endpoint] = [is.tenant?.policy ?? null, is.identity?.endpoint ?? null];
      yield { kind: 'share-added', ...pairOf(is), slices: namesOf(is), policy, endpoint };
    }
  }
}

/**
 * Whether it goes because of the share. What goes with a namespace that is offloaded no more, gets another name or leaves a
 * provider that goes on lending, goes because of that.
 */
function isOfShare(it: RemoteNamespace, before: SharingState, after: SharingState): boolean {
  const [was, is] = [before, after].map(({ offloadings }) => offloadings.get(shareOf(it.cluster, it.namespace)));
  if (is === undefined || was?.mapping !== is.mapping || was.remoteName !== is.remoteName) return false;
  return is.providers.includes(it.provider) || !after.shares.has(shareOf(it.cluster, it.provider));
}

const pairOf = ({ consumer, provider }: SharePair): SharePair => ({ consumer, provider });

const namesOf = ({ slices }: ShareState): readonly string[] => slices.map((it) => it.name);

function* compareShare(
  was: ShareState,
  is: ShareState,
  gone: readonly RemoteNamespace[],
  around: { readonly before: SharingState; readonly after: SharingState },
): Iterable<Difference> {
  const pair = pairOf(is);
  if (was.tenant && is.tenant) {
    const [from, to] = [was.tenant, is.tenant];
    if (from.condition !== to.condition) {
      const deleted = to.condition === 'Drained' ? gone : [];
      yield { kind: 'condition-changed', ...pair, from: from.condition, to: to.condition, deleted };
    }
    if (from.policy !== to.policy) yield { kind: 'policy-changed', ...pair, from: from.policy, to: to.policy };
  }
  // A consumer that comes with credentials from now on is another change.
  if (was.credentials !== is.credentials && was.tenant?.policy === is.tenant?.policy) {
    yield { kind: 'credentials-changed', ...pair, from: was.credentials, to: is.credentials };
  }
  yield* compareIdentity(was, is);
  yield* compareSlices(was, is, around);
}

function* compareIdentity(before: ShareState, share: ShareState): Iterable<Difference> {
  const [was, is] = [before.identity, share.identity];
  const pair = pairOf(share);
  // A consumer with credentials has none, and one with another key gets another one.
  const isReplaced = isAnotherKey(before, share) || before.tenant?.policy !== share.tenant?.policy;
  if (was && !is && !isReplaced) yield { kind: 'identity-removed', ...pair, from: was.endpoint };
  if (is && !was) yield { kind: 'identity-added', ...pair, to: is.endpoint };
  if (!was || !is || JSON.stringify(was) === JSON.stringify(is)) return;
  const newCertificate = was.certificate !== is.certificate;
  yield { kind: 'identity-changed', ...pair, from: was.endpoint, to: is.endpoint, newCertificate };
}

import { groupBy } from '../base/core/group-by.ts';
import type { Difference, SliceName } from './difference.ts';
import type { ShareState, SharingState } from './sharing-state.ts';

/** A consumer has one key for all its providers, so what differs is one change for each consumer. */
export function* compareAuthentication(before: SharingState, after: SharingState): Iterable<Difference> {
  const pairs = [...after.shares].flatMap(([key, is]): readonly Pair[] => {
    const was = before.shares.get(key);
    // Whoever comes with credentials instead, or no longer, has no key there, or has one again.
    const isComparable = was !== undefined && (!was.tenant || !is.tenant || was.tenant.policy === is.tenant.policy);
    return isComparable ? [{ was, is }] : [];
  });
  for (const [consumer, all] of groupBy(pairs, ({ is }) => [is.consumer])) {
    const of = (pick: (it: Pair) => boolean) => {
      const found = all.filter(pick);
      return { consumer, providers: found.map(({ is }) => is.provider), pairs: found };
    };
    const [added, removed] = [
      of(({ was, is }) => !keyOf(was) && keyOf(is) !== null),
      of(({ was, is }) => keyOf(was) !== null && !keyOf(is)),
    ];
    if (added.pairs.length > 0) yield { kind: 'authentication-added', consumer, providers: added.providers };
    yield* changedKey(of(({ was, is }) => isAnotherKey(was, is)));
    if (removed.pairs.length > 0) yield { kind: 'authentication-removed', consumer, providers: removed.providers };
    const nonces = of((it) => !isAnotherKey(it.was, it.is) && isAnotherNonce(it));
    if (nonces.pairs.length > 0) yield { kind: 'nonce-changed', consumer, providers: nonces.providers };
  }
}

interface Pair {
  readonly was: ShareState;
  readonly is: ShareState;
}

const keyOf = ({ tenant }: ShareState): string | null => tenant?.publicKey ?? null;

/** A provider compares the request with the one that it has signed, so another request of the same key counts, too. */
export const isAnotherKey = (was: ShareState, is: ShareState): boolean =>
  keyOf(was) !== null && keyOf(is) !== null && (keyOf(was) !== keyOf(is) || was.tenant?.request !== is.tenant?.request);

const isAnotherNonce = ({ was, is }: Pair): boolean =>
  keyOf(was) !== null &&
  keyOf(is) !== null &&
  (was.tenant?.nonce !== is.tenant?.nonce || was.tenant?.signature !== is.tenant?.signature);

interface Found {
  readonly consumer: string;
  readonly providers: readonly string[];
  readonly pairs: readonly Pair[];
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
    from: keyOf(first.was) ?? '',
    to: keyOf(first.is) ?? '',
    slices: slices.map(name),
    dropped: pairs.filter(({ was, is }) => was.identity !== null && is.identity === null).map(({ is }) => is.provider),
    madeByLiqo: slices.filter((it) => it.request === null).map(name),
  };
}

import type { Change } from './change.ts';
import type { LinkState } from './network-state.ts';

/**
 * New links of clusters that lose another one in the same plan: connected first, they keep those clusters reachable. A link
 * to a cluster that leaves the fleet is not missed.
 */
export function linksToMakeFirst(changes: readonly Change[]): readonly LinkState[] {
  const gone = new Set(
    changes.flatMap((it) => (it.kind === 'cluster-removed' || it.kind === 'cluster-retired' ? [it.cluster] : [])),
  );
  const moved = removedLinks(changes).filter(({ ends }) => ends.every((it) => !gone.has(it)));
  const losers = new Set(moved.flatMap((it) => it.ends));
  return addedLinks(changes).filter((it) => it.ends.some((end) => losers.has(end)));
}

/** A new peer of a cluster that loses other peers in the same plan, and sees the new one elsewhere while these hold addresses. */
export interface Displaced {
  readonly cluster: string;
  readonly newcomer: string;
  readonly leavers: readonly string[];
}

/**
 * A new Configuration is applied before an old one is pruned, so it does not get what the old one frees: its view is then one
 * that a new installation would not choose.
 */
export function displacedNewcomers(changes: readonly Change[]): readonly Displaced[] {
  const removed = removedLinks(changes);
  return addedLinks(changes).flatMap(({ sides }) =>
    [...sides.values()].flatMap(({ cluster, peer, views }): readonly Displaced[] => {
      const leavers = removed.flatMap(({ ends: [a, b] }) => (a === cluster ? [b] : b === cluster ? [a] : []));
      return leavers.length > 0 && views.some((it) => it.history) ? [{ cluster, newcomer: peer, leavers }] : [];
    }),
  );
}

const addedLinks = (changes: readonly Change[]): readonly LinkState[] =>
  changes.flatMap((it) => (it.kind === 'link-added' ? [it.link] : []));

const removedLinks = (changes: readonly Change[]): readonly LinkState[] =>
  changes.flatMap((it) => (it.kind === 'link-removed' ? [it.link] : []));

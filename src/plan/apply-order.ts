import { byCodeUnit, sortedUnique } from '../base/core/collections.ts';
import type { Change } from './change.ts';
import type { LinkState, NetworkState } from './network-state.ts';

/** The part of the fleet that is down at a time, while clusters are installed again. */
const SHARE_OF_A_BATCH = 1 / 10;

/**
 * Clusters that a plan has installed again, in batches that can follow each other: no link joins two clusters of a batch,
 * so that each of them comes back to peers that run; no cluster has all its peers in a batch, so that a second hub stays
 * while the first one is away; and a batch has at most a tenth of the fleet. Clusters with the most links come first,
 * since every other one needs them; equal ones in order of name.
 */
export function installationBatches(
  changes: readonly Change[],
  { clusters }: NetworkState,
): readonly (readonly string[])[] {
  const most = Math.max(1, Math.floor(clusters.size * SHARE_OF_A_BATCH));
  const batches: Batch[] = [];
  const reinstalled = sortedUnique(changes.flatMap(reinstalledBy)).map((name) => ({
    name,
    peers: clusters.get(name)?.peers ?? [],
  }));
  const sorted = reinstalled.sort((a, b) => b.peers.length - a.peers.length || byCodeUnit(a.name, b.name));
  let firstWithRoom = 0;
  for (const { name, peers } of sorted) {
    while ((batches[firstWithRoom]?.names.length ?? 0) >= most) firstWithRoom++;
    const cutsOff = ({ away }: Batch): boolean =>
      peers.some((it) => (away.get(it) ?? 0) + 1 === clusters.get(it)?.peers.length);
    const fits = (it: Batch): boolean => it.names.length < most && !it.away.has(name) && !cutsOff(it);
    const known = batches.slice(firstWithRoom).find(fits);
    const batch = known ?? { names: [], away: new Map<string, number>() };
    if (known === undefined) batches.push(batch);
    batch.names.push(name);
    for (const it of peers) batch.away.set(it, (batch.away.get(it) ?? 0) + 1);
  }
  return batches.map((it) => it.names);
}

interface Batch {
  readonly names: string[];
  /** How many of its peers are in the batch, by cluster. */
  readonly away: Map<string, number>;
}

function reinstalledBy(it: Change): readonly string[] {
  if (it.kind === 'own-cidr-changed') return it.reason === 'own-networks-are-fixed' ? [it.cluster] : [];
  return it.kind === 'cluster-renamed' ? [it.cluster] : [];
}

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

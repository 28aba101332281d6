import { byCodeUnit, sortedUnique } from '../base/core/collections.ts';
import type { Change } from './change.ts';
import type { LinkState, NetworkState } from './network-state.ts';

/** The largest part of the fleet that may be down at once while clusters are installed again. */
const SHARE_OF_A_BATCH = 1 / 10;

/**
 * Batches of the clusters that a plan installs again, in an order in which they can follow each other. No link joins
 * two clusters of a batch, so each of them returns to running peers. No cluster has all its peers in one batch, so a
 * second hub keeps running while the first is down. A batch has at most a tenth of the fleet. Clusters with the most
 * links come first, because every other cluster needs them; equal ones in order of name.
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
  /** Number of each cluster's peers that are in the batch. */
  readonly away: Map<string, number>;
}

function reinstalledBy(it: Change): readonly string[] {
  if (it.kind === 'own-cidr-changed') return it.reason === 'own-networks-are-fixed' ? [it.cluster] : [];
  return it.kind === 'cluster-renamed' ? [it.cluster] : [];
}

/**
 * New links of clusters that lose another link in the same plan: connected first, they keep those clusters reachable.
 * Links lost to a cluster that leaves the fleet are ignored.
 */
export function linksToMakeFirst(changes: readonly Change[]): readonly LinkState[] {
  const gone = new Set(
    changes.flatMap((it) => (it.kind === 'cluster-removed' || it.kind === 'cluster-retired' ? [it.cluster] : [])),
  );
  const moved = removedLinks(changes).filter(({ ends }) => ends.every((it) => !gone.has(it)));
  const losers = new Set(moved.flatMap((it) => it.ends));
  return addedLinks(changes).filter((it) => it.ends.some((end) => losers.has(end)));
}

/**
 * A new peer of a cluster that loses other peers in the same plan. The new peer's view differs while the old peers
 * still hold addresses.
 */
export interface Displaced {
  readonly cluster: string;
  readonly newcomer: string;
  readonly leavers: readonly string[];
}

/**
 * New peers whose view is not the one that a new installation would choose. A new Configuration is applied before an
 * old one is pruned, so the addresses of the old one are still taken.
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

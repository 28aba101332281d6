import { by, byCodeUnit, inOrder } from '../base/core/collections.ts';
import { type ClusterState, type LinkState, type NetworkState, pairOf } from './network-state.ts';

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * The renames that the topology declares.
 *
 * @param formerNames by name
 */
export const declaredRenames = (
  before: NetworkState,
  after: NetworkState,
  formerNames: ReadonlyMap<string, string>,
): readonly Rename[] =>
  [...formerNames].flatMap(([to, from]) =>
    before.clusters.has(from) && !after.clusters.has(from) && !before.clusters.has(to) && after.clusters.has(to)
      ? [{ from, to }]
      : [],
  );

/**
 * Pairs of a removed and a new cluster with the same own networks and peers: one renamed cluster, or a replacement.
 * Clusters with several matches are left out.
 *
 * @param declared clusters that are known to be renamed
 */
export function findLookalikes(
  before: NetworkState,
  after: NetworkState,
  declared: readonly Rename[],
): readonly Rename[] {
  const [old, now] = [new Set(declared.map((it) => it.from)), new Set(declared.map((it) => it.to))];
  const removed = only(before, after).filter((it) => !old.has(it.name));
  const added = only(after, before).filter((it) => !now.has(it.name));
  return lookalikes(removed, added);
}

function lookalikes(removed: readonly ClusterState[], added: readonly ClusterState[]): readonly Rename[] {
  if (removed.length === 0 || added.length === 0) return [];
  const timesRemoved = countBy(removed.map(fingerprint));
  const timesAdded = countBy(added.map(fingerprint));
  const nameOf = new Map(added.map((it) => [fingerprint(it), it.name]));
  return removed.flatMap((it) => {
    const print = fingerprint(it);
    const to = nameOf.get(print);
    return to !== undefined && timesRemoved.get(print) === 1 && timesAdded.get(print) === 1
      ? [{ from: it.name, to }]
      : [];
  });
}

const only = (one: NetworkState, other: NetworkState): readonly ClusterState[] =>
  [...one.clusters.values()].filter((it) => !it.retired && it.peers.length > 0 && !other.clusters.has(it.name));

/** The properties that a rename of a cluster does not change. */
const fingerprint = ({ own, peers }: ClusterState): string =>
  JSON.stringify([own.pod, own.service, [...peers].sort(byCodeUnit)]);

function countBy(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const it of texts) counts.set(it, (counts.get(it) ?? 0) + 1);
  return counts;
}

/** The network under the new names. */
export function renamed(network: NetworkState, renames: readonly Rename[]): NetworkState {
  if (renames.length === 0) return network;
  const names = new Map(renames.map((it) => [it.from, it.to]));
  const name = (it: string): string => names.get(it) ?? it;
  const clusters = [...network.clusters.values()].map((it) => ({
    ...it,
    name: name(it.name),
    peers: it.peers.map(name),
  }));
  const links = [...network.links.values()].map((it) => renameLink(it, name));
  return {
    ...network,
    clusters: new Map(clusters.sort(by((it) => it.name)).map((it) => [it.name, it])),
    links: new Map(links.sort(by((it) => it.pair)).map((it) => [it.pair, it])),
  };
}

function renameLink(link: LinkState, name: (it: string) => string): LinkState {
  const [a, b] = [name(link.ends[0]), name(link.ends[1])];
  const sides = [...link.sides.values()].map((it) => ({ ...it, cluster: name(it.cluster), peer: name(it.peer) }));
  return {
    ...link,
    pair: pairOf(a, b),
    ends: inOrder(a, b),
    server: name(link.server),
    client: name(link.client),
    sides: new Map(sides.sort(by((it) => it.cluster)).map((it) => [it.cluster, it])),
  };
}

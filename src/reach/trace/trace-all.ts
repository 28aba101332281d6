import type { AddressedCluster, AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { Paths } from '../../fleet/model/find-paths.ts';
import { pathsOf } from '../../fleet/model/paths-of.ts';
import { arrives } from './fate.ts';
import { type PairFate, pairFatesOf } from './pair-fates.ts';

/** Every ordered pair of clusters; a cluster is not paired with itself. A fleet has far more pairs than links. */
export interface AllPairs {
  /** The clusters that are in pairs, in order of name. */
  readonly clusters: readonly string[];
  /** By name of the sender, then of the receiver; each is made when it is asked for, and none is kept. */
  readonly pairs: Iterable<PairFate>;
  readonly count: () => PairCounts;
}

/** How many pairs there are, and between how many of them packets arrive. */
export interface PairCounts {
  readonly pairs: number;
  readonly direct: number;
  readonly through: number;
}

/** The fate of a packet from each cluster to each other one. */
export function traceAll(model: AddressedModel): AllPairs {
  const fates = pairFatesOf(model);
  const clusters = [...model.clusters.values()];
  const pairs = {
    *[Symbol.iterator]() {
      for (const sender of clusters) {
        const fateTo = fates.from(sender);
        for (const it of clusters) if (it !== sender) yield fateTo(it);
      }
    },
  };
  return {
    clusters: clusters.length === 1 ? [] : [...model.clusters.keys()],
    pairs,
    count: () => (fates.linksDeliver() ? countByLinks(clusters, pathsOf(model.links)) : countPairs(pairs)),
  };
}

export function countPairs(all: Iterable<PairFate>): PairCounts {
  let [pairs, direct, through] = [0, 0, 0];
  for (const { fate, way } of all) {
    pairs++;
    if (!arrives({ kind: fate })) continue;
    if (way.kind === 'through') through++;
    else direct++;
  }
  return { pairs, direct, through };
}

/**
 * The same where every working link delivers: then each cluster reaches its neighbours, and theirs. Clusters with the same
 * neighbours reach equally many, so the cost grows with the links: 50,000 spokes of one hub have 2.5 thousand million pairs.
 */
function countByLinks(clusters: readonly AddressedCluster[], { linkedWith }: Paths): PairCounts {
  const known = new Map<string, number>();
  let [direct, through] = [0, 0];
  for (const { name } of clusters) {
    const near = linkedWith(name);
    const key = near.join(' ');
    const far = known.get(key) ?? farFrom(near, linkedWith, clusters.length);
    known.set(key, far);
    direct += near.length;
    through += far;
  }
  return { pairs: clusters.length * (clusters.length - 1), direct, through };
}

/** How many others a cluster with these neighbours reaches through them. It is itself a neighbour of each of them. */
function farFrom(near: readonly string[], linkedWith: Paths['linkedWith'], all: number): number {
  const reached = new Set(near);
  for (const hub of near) {
    for (const it of linkedWith(hub)) reached.add(it);
    // In a mesh the first neighbour reaches everything.
    if (reached.size === all) break;
  }
  return Math.max(reached.size - near.length - 1, 0);
}

import { type AddressedCluster, clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import { carriesPackets, type Link } from '../../fleet/model/network-model.ts';
import { type Paths, pathsOf } from '../../fleet/model/paths.ts';
import type { LendingNetwork, MayOffload } from '../../fleet/sharing/shared-model.ts';
import { arrives, type Fate, idleText } from './fates.ts';
import type { LiveState } from './packet.ts';
import { type PairFate, pairFatesOf } from './pair-fates.ts';
import type { Trace } from './trace.ts';

/** Every ordered pair of different clusters. A fleet has far more pairs than links. */
export interface AllPairs {
  /** The clusters that are in pairs, in order of name. */
  readonly clusters: readonly string[];
  /**
   * Pairs by name of the sender, then of the receiver. Each pair is computed during the iteration, and none is stored.
   */
  readonly pairs: Iterable<PairFate>;
  readonly count: () => PairCounts;
}

/** The number of pairs, and of those between which packets arrive, by kind of path. */
export interface PairCounts {
  readonly pairs: number;
  readonly direct: number;
  readonly through: number;
}

const NONE: ReadonlySet<string> = new Set();

/** The fate of a packet from each cluster to each other one, except for clusters that have failed. */
export function traceAll(model: LendingNetwork, failed = NONE): AllPairs {
  const fates = pairFatesOf(model);
  const clusters = [...model.clusters.values()].filter((it) => !failed.has(it.name));
  const pairs = {
    *[Symbol.iterator]() {
      for (const sender of clusters) {
        const fateTo = fates.from(sender);
        for (const it of clusters) if (it !== sender) yield fateTo(it);
      }
    },
  };
  return {
    clusters: clusters.length === 1 ? [] : clusters.map((it) => it.name),
    pairs,
    count: () =>
      fates.linksDeliver() ? countByLinks(clusters, pathsOf(model.links), fates.mayOffload) : countPairs(pairs),
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
 * Counts the pairs when every working link delivers: each cluster then reaches its neighbours, and those of their
 * neighbours to which they may offload. Clusters with the same neighbours reach equally many, so the cost grows with the links: 50,000 spokes of one hub have
 * 2.5 thousand million pairs.
 */
function countByLinks(
  clusters: readonly AddressedCluster[],
  { linkedWith }: Paths,
  mayOffload: MayOffload,
): PairCounts {
  const behind = (hub: string) => linkedWith(hub).filter((it) => mayOffload(hub, it));
  const known = new Map<string, number>();
  let [direct, through] = [0, 0];
  for (const { name } of clusters) {
    const near = linkedWith(name);
    const key = near.join(' ');
    const far = known.get(key) ?? farFrom(near, behind, clusters.length);
    known.set(key, far);
    direct += near.length;
    // It may be behind its own neighbours.
    through += near.some((hub) => mayOffload(hub, name)) ? far - 1 : far;
  }
  return { pairs: clusters.length * (clusters.length - 1), direct, through };
}

/** Number of clusters that are behind these neighbours, and none of them. */
function farFrom(near: readonly string[], behind: Paths['linkedWith'], all: number): number {
  const reached = new Set(near);
  for (const hub of near) {
    for (const it of behind(hub)) reached.add(it);
    // In a mesh the first neighbour reaches everything.
    if (reached.size === all) break;
  }
  return reached.size - near.length;
}

/**
 * The fate of each pair in live clusters. Senders dial what follows from the views, whether it arrives or not: the link of
 * the two where they have one.
 */
export function traceAllLive(model: LendingNetwork, live: LiveState, failed = NONE): AllPairs {
  const { clusters, pairs: expected } = traceAll(model, failed);
  const fates = pairFatesOf(model, live);
  const liveFate = (it: PairFate): PairFate => {
    const [from, to] = [clusterNamed(model, it.from), clusterNamed(model, it.to)];
    const link = from.peers.get(to.name)?.link;
    if (link !== undefined && !carriesPackets(link))
      return { ...it, way: { kind: 'direct', link }, fate: 'tunnel-down', keyless: link };
    if (it.fate !== 'delivered') return it;
    if (it.way.kind === 'through') return { ...it, fate: fates.through(from, clusterNamed(model, it.way.hub), to) };
    return { ...it, fate: fates.overLink(from, to) };
  };
  const pairs = {
    *[Symbol.iterator]() {
      for (const it of expected) yield liveFate(it);
    },
  };
  return { clusters, pairs, count: () => countPairs(pairs) };
}

/** The reasons why a link carries nothing at present; empty for a working link. */
export type DeadLinks = (a: string, b: string) => readonly string[];

/** The trace, cut before the first tunnel that is down; the same trace when none is. */
export function endAtDeadLink(trace: Trace, why: DeadLinks): Trace {
  const { fate, idle } = trace;
  if (fate.kind === 'no-keys' && idle) {
    const reasons = whyDead(idle, why);
    return { ...trace, fate: tunnelDown(endsOf(idle), reasons.length > 0 ? reasons : [idleText(idle)]) };
  }
  for (const [index, { did }] of trace.there.entries()) {
    if (did.kind !== 'tunnel') continue;
    const reasons = whyDead(did.link, why);
    if (reasons.length === 0) continue;
    return {
      ...trace,
      fate: tunnelDown(endsOf(did.link), reasons),
      received: null,
      there: trace.there.slice(0, index),
      back: [],
    };
  }
  return trace;
}

/** The trace of a packet between two clusters whose own link is down, whatever other path there is. */
export const withoutOwnLink = (trace: Trace, ends: LinkedPair, reasons: readonly string[]): Trace => ({
  ...trace,
  ...{ route: { kind: 'none' }, fate: tunnelDown(ends, reasons), received: null, mapping: null, there: [], back: [] },
});

/** The pairs, with the fate `tunnel-down` for those with a tunnel on their path that is down. */
export function endPairsAtDeadLinks({ clusters, pairs: working }: AllPairs, why: DeadLinks): AllPairs {
  const pairs = {
    *[Symbol.iterator]() {
      for (const it of working) yield endPairAtDeadLink(it, why);
    },
  };
  return { clusters, pairs, count: () => countPairs(pairs) };
}

function endPairAtDeadLink(pair: PairFate, why: DeadLinks): PairFate {
  const { from, to, way } = pair;
  const isDead =
    why(from, to).length > 0 || (way.kind === 'through' && why(from, way.hub).length + why(way.hub, to).length > 0);
  return isDead ? { ...pair, fate: 'tunnel-down' } : pair;
}

type LinkedPair = readonly [a: string, b: string];

const endsOf = ({ server, client }: Link): LinkedPair => [client.cluster.name, server.cluster.name];

const whyDead = (link: Link, why: DeadLinks): readonly string[] => why(...endsOf(link));

const tunnelDown = ([a, b]: LinkedPair, reasons: readonly string[]): Fate => ({
  kind: 'tunnel-down',
  why: `The link of "${a}" and "${b}" carries nothing now: ${reasons.join('; ')}.`,
  change: `Run "weft view ${a} ${b} --runbook", which lists what to look at.`,
});

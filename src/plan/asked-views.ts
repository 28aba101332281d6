import { groupBy } from '../base/core/collections.ts';
import { OverlapIndex } from '../base/net/overlap-index.ts';
import { overlaps, type Prefix } from '../base/net/prefix.ts';
import { readPrintedPrefix } from '../base/net/text.ts';
import { type ClusterState, type NetworkState, pairOf, type SideState, type ViewState } from './network-state.ts';

/** The views that the clusters of a fleet request in one change, in addition to those that they keep. */
export interface AskedViews {
  /** The requests of a cluster for views of any peers but this one. */
  readonly ofOthers: (cluster: string, peer: string) => readonly AskedView[];
  /** True when a cluster may request a view of another peer before it releases the views that this side loses. */
  readonly beforeRelease: (side: SideState) => boolean;
  /**
   * Clusters that assign an address of a leaving peer to another peer, or use it themselves. No such peer may exist
   * when they request their views, so decisions that are made again leave out all of these peers.
   */
  readonly takenFromLeavers: ReadonlySet<string>;
}

interface AskedView {
  readonly orderDependent: boolean;
  /** True for a new view of a peer that the cluster already has. */
  readonly isAgain: boolean;
}

/**
 * Finds the requested views. An IPAM assigns networks that are free at that moment, so the order decides when a cluster
 * requests views in the same change in which others are released.
 *
 * @param renamed clusters that their peers still know under another name
 */
export function askedViews(before: NetworkState, after: NetworkState, renamed: ReadonlySet<string>): AskedViews {
  const asked = [...after.links].flatMap(([pair, { sides }]) =>
    [...sides.values()].flatMap((side) => {
      const { cluster, peer, views, orderDependent } = side;
      const was = before.links.get(pair)?.sides.get(cluster);
      const isKept = was !== undefined && hasSameName(was, side) && !renamed.has(peer);
      const added = isKept ? views.filter((it) => !was.views.some((one) => isSameView(one, it))) : views;
      return added.length === 0 ? [] : [{ cluster, peer, added, orderDependent, isAgain: was !== undefined }];
    }),
  );
  const byCluster = groupBy(asked, (it) => [it.cluster]);
  const leaving = [...before.links].flatMap(([pair, { sides }]) => (after.links.has(pair) ? [] : [...sides.values()]));
  const taken = [...groupBy(leaving, (it) => [it.cluster])].filter(([cluster, sides]) => {
    const held = new OverlapIndex<true>();
    for (const it of sides) for (const prefix of prefixes(it.views.map((view) => view.seenAs))) held.add(prefix, true);
    const given = (byCluster.get(cluster) ?? []).flatMap(({ added }) => added.map((it) => it.seenAs));
    return prefixes([...given, ...newNetworks(before.clusters.get(cluster), after.clusters.get(cluster))]).some(
      (it) => held.first(it) === true,
    );
  });
  const ranks = new Map<string, ReadonlyMap<string, number>>();
  const ranksIn = (cluster: string): ReadonlyMap<string, number> => {
    const known = ranks.get(cluster) ?? ranksOf(cluster, after);
    ranks.set(cluster, known);
    return known;
  };
  return {
    beforeRelease: ({ cluster, peer, views }) => {
      const rank = ranksIn(cluster);
      const own = rank.get(peer) ?? ANY_TURN;
      const kept = after.links.get(pairOf(cluster, peer))?.sides.get(cluster)?.views ?? [];
      const released = views.filter((it) => !kept.some((one) => isSameView(one, it))).map((it) => it.seenAs);
      return (byCluster.get(cluster) ?? []).some((it) => {
        if (it.peer === peer) return false;
        const turn = rank.get(it.peer) ?? ANY_TURN;
        return turn === ANY_TURN
          ? overlap(
              it.added.map(({ seenAs }) => seenAs),
              released,
            )
          : turn < own;
      });
    },
    ofOthers: (cluster, peer) => (byCluster.get(cluster) ?? []).filter((it) => it.peer !== peer),
    takenFromLeavers: new Set(taken.map(([cluster]) => cluster)),
  };
}

/** Links without a remap are applied before all others, in any order. */
const ANY_TURN = -1;

/** The position of each peer in the order of requests, by name. */
function ranksOf(cluster: string, { clusters, links }: NetworkState): ReadonlyMap<string, number> {
  const peers = clusters.get(cluster)?.peers ?? [];
  const isRemapped = (peer: string): boolean =>
    links
      .get(pairOf(cluster, peer))
      ?.sides.get(cluster)
      ?.views.some((it) => it.cidr !== it.seenAs) === true;
  return new Map(peers.map((peer, i) => [peer, isRemapped(peer) ? i : ANY_TURN]));
}

const overlap = (some: readonly string[], others: readonly string[]): boolean =>
  prefixes(some).some((it) => prefixes(others).some((other) => overlaps(it, other)));

/** True when both sides use the same name: a Configuration with another name is a different object. */
const hasSameName = ({ names: was }: SideState, { names: is }: SideState): boolean =>
  was.namespace === is.namespace && was.configuration === is.configuration;

const isSameView = (a: ViewState, b: ViewState): boolean =>
  a.kind === b.kind && a.cidr === b.cidr && a.seenAs === b.seenAs;

/** Files that were edited by hand may contain anything. */
const prefixes = (texts: readonly string[]): readonly Prefix[] => texts.flatMap((it) => readPrintedPrefix(it) ?? []);

/** The networks that a cluster reserves for itself only after the change. */
function newNetworks(was: ClusterState | undefined, is: ClusterState | undefined): readonly string[] {
  const of = (it: ClusterState | undefined) =>
    it === undefined ? [] : [...Object.values(it.own).flat(), ...it.reserved];
  const known = new Set(of(was));
  return of(is).filter((it) => !known.has(it));
}

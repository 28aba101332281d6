import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  type Peer,
  type View,
  viewsOf,
} from '../../fleet/ipam/addressed-model.ts';
import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import { placeOwnAddresses } from '../../fleet/ipam/own-addresses.ts';
import type { Link } from '../../fleet/model/network-model.ts';

/** A cluster that sees some of its peers as other networks, and so gives these in an order that matters. */
export interface Viewer {
  readonly cluster: AddressedCluster;
  readonly remapped: readonly RemappedEnd[];
  /** Makes its IPAM in the state in which all other peers have their networks, as a rollout applies them first. */
  readonly freshIpam: () => Allocator;
}

/** A link as the cluster at one end sees it. */
export interface RemappedEnd {
  readonly viewer: string;
  readonly link: Link;
  readonly peer: Peer;
  /** In the order in which the IPAM is asked for them. */
  readonly views: readonly View[];
  /**
   * A link whose peer has a network that this one asks for: if all is decided again, it has to come first to get it again.
   * `null` where the cluster gave none of these networks to a peer as its own.
   */
  readonly after: Link | null;
}

/** By name, the clusters that remap some peer. */
export const viewersOf = ({ clusters }: Pick<AddressedModel, 'clusters'>): ReadonlyMap<string, Viewer> =>
  new Map(
    [...clusters.values()].flatMap((it): readonly (readonly [string, Viewer])[] => {
      const viewer = viewerAt(it);
      return viewer.remapped.length === 0 ? [] : [[it.name, viewer]];
    }),
  );

function viewerAt(cluster: AddressedCluster): Viewer {
  const peers = [...cluster.peers.values()];
  const unremapped = peers.filter((it) => !it.remapped);
  const free = unremapped.flatMap(viewsOf);
  const holders = new OverlapIndex<Link>();
  for (const it of unremapped) for (const { cidr } of viewsOf(it)) holders.add(cidr, it.link);
  return {
    cluster,
    remapped: peers
      .filter((it) => it.remapped)
      .map((peer) => {
        const views = viewsOf(peer);
        const after = views.map((it) => holders.first(it.cidr)).find((it) => it !== undefined) ?? null;
        return { viewer: cluster.name, link: peer.link, peer, views, after };
      }),
    freshIpam: () => {
      const { externalCIDR: external, internalCIDR: internal } = cluster;
      const { ipam } = placeOwnAddresses(cluster, { external, internal });
      for (const { cidr } of free) ipam.acquire(cidr);
      return ipam;
    },
  };
}

export const isRemap = ({ cidr, seenAs }: View): boolean => !samePrefix(cidr, seenAs);

/** A view that a rollout would not give. */
export interface MissedView {
  readonly end: RemappedEnd;
  readonly view: View;
  /** What it would give; `null` where no network is left. */
  readonly again: Prefix | null;
}

/** The views of a cluster that a rollout would give otherwise, if its peers came in this order. */
export function replayViewer({ freshIpam }: Viewer, order: readonly RemappedEnd[]): readonly MissedView[] {
  const ipam = freshIpam();
  return order.flatMap((end) => missedAmong(end, takeEnd(end, ipam)));
}

/** What the IPAM gives to each request of a link; `null` where it refuses. */
export const takeEnd = ({ views }: RemappedEnd, ipam: Allocator): readonly (Prefix | null)[] =>
  views.map(({ cidr }) => {
    const given = ipam.acquire(cidr);
    return given.ok ? given.prefix : null;
  });

export function giveBack(given: readonly (Prefix | null)[], ipam: Allocator): void {
  for (const it of given) if (it !== null) ipam.release(it);
}

/** The views of a link for which the IPAM gave another network. */
export const missedAmong = (end: RemappedEnd, given: readonly (Prefix | null)[]): readonly MissedView[] =>
  end.views.flatMap((view, index) => {
    const again = given[index] ?? null;
    return again !== null && samePrefix(again, view.seenAs) ? [] : [{ end, view, again }];
  });

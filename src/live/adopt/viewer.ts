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

/** A cluster that remaps some of its peers, so that their order matters. */
export interface Viewer {
  readonly cluster: AddressedCluster;
  readonly remapped: readonly RemappedEnd[];
  /** Creates its IPAM with the networks of all other peers, which a rollout applies first. */
  readonly freshIpam: () => Allocator;
}

/** One end of a link whose peer is remapped. */
export interface RemappedEnd {
  readonly viewer: string;
  readonly link: Link;
  readonly peer: Peer;
  /** In the order of the requests to the IPAM. */
  readonly views: readonly View[];
  /**
   * The link whose peer has a network that this one requests: if all is decided again, it has to be first to get it.
   * `null` when no peer has one of these networks as its own.
   */
  readonly after: Link | null;
}

/** Returns the clusters that remap a peer, by name. */
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

/** A view that a rollout would change. */
export interface MissedView {
  readonly end: RemappedEnd;
  readonly view: View;
  /** The network that it would assign; `null` when none is left. */
  readonly again: Prefix | null;
}

/** Returns the views of a cluster that a rollout with its peers in this order would change. */
export function replayViewer({ freshIpam }: Viewer, order: readonly RemappedEnd[]): readonly MissedView[] {
  const ipam = freshIpam();
  return order.flatMap((end) => missedAmong(end, takeEnd(end, ipam)));
}

/** Requests the networks of a link from the IPAM; `null` for each refusal. */
export const takeEnd = ({ views }: RemappedEnd, ipam: Allocator): readonly (Prefix | null)[] =>
  views.map(({ cidr }) => {
    const given = ipam.acquire(cidr);
    return given.ok ? given.prefix : null;
  });

export function giveBack(given: readonly (Prefix | null)[], ipam: Allocator): void {
  for (const it of given) if (it !== null) ipam.release(it);
}

/** Returns the views of a link for which the IPAM assigned another network. */
export const missedAmong = (end: RemappedEnd, given: readonly (Prefix | null)[]): readonly MissedView[] =>
  end.views.flatMap((view, index) => {
    const again = given[index] ?? null;
    return again !== null && samePrefix(again, view.seenAs) ? [] : [{ end, view, again }];
  });

import { groupBy, largest } from '../../base/core/collections.ts';
import { printPrefix } from '../../base/net/text.ts';
import { type AddressedCluster, type AddressedModel, clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import { countFreeBlocks, networksOfFleet } from '../../fleet/ipam/carve-blocks.ts';
import { ipamOf } from '../../fleet/ipam/own-addresses.ts';
import { peersLeft } from '../../fleet/ipam/rules/views.ts';
import { freePorts } from '../../fleet/model/assign-ports.ts';
import { joinedPeers, type NextCluster, nextCluster } from './next-cluster.ts';

/** The room that is left in a fleet, and what the next cluster costs. */
export interface Forecast {
  /** Blocks for `auto`. */
  readonly blocks: { readonly from: readonly string[]; readonly length: number; readonly left: number };
  /** Clusters that others have joined, those with the least room first. */
  readonly joined: readonly RoomLeft[];
  /** One for each way in which clusters have joined, the most frequent first. */
  readonly next: readonly NextClusters[];
  /** The number of ways that are left out: each takes the time of a compilation of the clusters around it. */
  readonly leftOut: number;
}

/** The room in a cluster that others have joined. */
interface RoomLeft {
  readonly cluster: string;
  /** Ports for further clients; `null` for a cluster that serves none. */
  readonly ports: { readonly first: number; readonly last: number; readonly left: number } | null;
  /** Further peers for which its external and internal CIDR have addresses. */
  readonly peers: number;
  /** Networks in its pools, of the size of the largest pod CIDR that has joined it. */
  readonly networks: { readonly length: number; readonly left: number };
}

export interface NextClusters extends NextCluster {
  /** The number of clusters that have joined in this way. */
  readonly alike: number;
}

/** The most ways to join that are forecast, unless one cluster is named. */
const MOST_WAYS = 12;

/**
 * Counts what is left, and tries the next cluster of each kind.
 *
 * @param like the cluster whose kind alone is tried; one that has joined none gives none.
 */
export function forecast(model: AddressedModel, like?: string): Forecast {
  const { carve } = model.fleet;
  const joining = [...model.clusters.values()].filter((it) => joinedPeers(it).length > 0);
  const ways = [...groupBy(joining, (it) => [wayOf(it)]).values()].sort((a, b) => b.length - a.length);
  const tried =
    like === undefined ? ways.slice(0, MOST_WAYS) : ways.filter((all) => all.some((it) => it.name === like));
  const next = tried.flatMap((all): readonly NextClusters[] => {
    const first = like === undefined ? all[0] : clusterNamed(model, like);
    return first === undefined ? [] : [{ ...nextCluster(model, first), alike: all.length }];
  });
  const joined = new Set(joining.flatMap(namesJoined));
  const shown = like === undefined ? joined : [...next.flatMap((it) => it.joins), like].filter((it) => joined.has(it));
  return {
    blocks: {
      ...{ from: carve.from.map(printPrefix), length: carve.length },
      left: countFreeBlocks(model, networksOfFleet(model)),
    },
    joined: [...new Set(shown)]
      .map((it) => roomLeft(model, clusterNamed(model, it)))
      .sort((a, b) => scarcity(a) - scarcity(b)),
    next,
    leftOut: like === undefined ? ways.length - tried.length : 0,
  };
}

const namesJoined = (cluster: AddressedCluster): readonly string[] => joinedPeers(cluster).map((it) => it.name);

/** Clusters with the same text join the same peers with networks of the same sizes. */
const wayOf = (cluster: AddressedCluster): string =>
  JSON.stringify([
    namesJoined(cluster),
    cluster.podCIDRs.map((it) => it.value.length),
    ...[cluster.external, cluster.internal].map((it) => (it.kind === 'auto' ? it.kind : it.prefix.length)),
  ]);

function roomLeft({ links }: AddressedModel, cluster: AddressedCluster): RoomLeft {
  const peers = [...cluster.peers.values()];
  const serves = peers.some((it) => it.role === 'server');
  const { range, left } = freePorts(links, cluster);
  const length = -largest(peers.flatMap((it) => it.podViews.map(({ cidr }) => -cidr.length)));
  return {
    cluster: cluster.name,
    ports: serves ? { first: range.first, last: range.last, left } : null,
    peers: peersLeft(cluster),
    networks: { length, left: ipamOf(cluster).countFree(length) },
  };
}

const scarcity = ({ ports, networks }: RoomLeft): number =>
  Math.min(ports?.left ?? Number.POSITIVE_INFINITY, networks.left);

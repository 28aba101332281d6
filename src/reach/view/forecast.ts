import { groupBy, largest } from '../../base/core/collections.ts';
import { printLockKey } from '../../base/core/lock-key.ts';
import { AddressSet } from '../../base/net/overlap-index.ts';
import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import {
  type AddressedCluster,
  type AddressedModel,
  clusterNamed,
  type Peer,
} from '../../fleet/ipam/addressed-model.ts';
import { assignAddresses, nextDecisions } from '../../fleet/ipam/assign-addresses.ts';
import { acquireInTurn } from '../../fleet/ipam/assign-views.ts';
import { blockCarver, countFreeBlocks, networksInUse, networksOfFleet } from '../../fleet/ipam/carve-blocks.ts';
import { ipamOf, placeOwnAddresses } from '../../fleet/ipam/own-addresses.ts';
import { peersLeft } from '../../fleet/ipam/rules/views.ts';
import { freePorts } from '../../fleet/model/assign-ports.ts';
import type { Cluster, GatewayOfLink, Link } from '../../fleet/model/network-model.ts';
import { type RemappedCidr, remapsIn } from './lists.ts';

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

/** The next cluster of a fleet, which joins it in the same way as a present one. */
export interface NextCluster {
  /** The present cluster: the next one has its sizes, release and pools, and joins the same peers. */
  readonly like: string;
  /** Its hubs, and the other ends of its peerings. */
  readonly joins: readonly string[];
  /** The number of clusters that can be added one after another, each with the pod CIDRs of `like`. */
  readonly fits: number;
  /** The reason why no further one can be added; `null` when `MOST_COUNTED` fit. */
  readonly limit: Limit | null;
  /** The cost of the next one with the pod CIDRs of `like`; `null` when none fits. */
  readonly again: JoinCost | null;
  /** The cost of the next one with pod CIDRs that are in use nowhere; `null` when none fits or the pools have none. */
  readonly distinct: JoinCost | null;
}

export type Limit =
  /** A cluster has no port left for a further client. */
  | { readonly kind: 'ports'; readonly cluster: string }
  /** A cluster has no address left for a further peer in its external or internal CIDR. */
  | { readonly kind: 'addresses'; readonly cluster: string }
  /** A cluster has no network of this length left in its pools. */
  | { readonly kind: 'networks'; readonly cluster: string; readonly length: number }
  /** No block of this length is left for `auto`. */
  | { readonly kind: 'blocks'; readonly length: number };

/** The consequences of one more cluster. */
interface JoinCost {
  readonly podCIDRs: readonly string[];
  /** A carved block, that of `like` again, or, if `like` alone has it, another one of that size. */
  readonly externalCIDR: string;
  readonly remaps: readonly RemappedCidr[];
  /** Further links whose views depend on the order of Configurations, by the cluster with the view. */
  readonly ordered: readonly GatewayOfLink[];
}

/** Further clusters are counted up to this number, since each of them is decided. */
export const MOST_COUNTED = 10_000;

/** The peers that a cluster has joined. Its spokes have joined it, and shortcuts are no part of joining. */
const joinedPeers = ({ hubs, peers }: AddressedCluster): readonly Peer[] =>
  [...peers.values()].filter(({ name, link }) => link.kind === 'peering' || hubs.includes(name));

/** The consequences of one more cluster like this one. */
function nextCluster(model: AddressedModel, like: AddressedCluster): NextCluster {
  const networks = networksOfFleet(model);
  const own = [...model.clusters.values()].flatMap((it) => [it.externalCIDR, it.internalCIDR]);
  const free = networksInNoUse(like, setOf([...networks, ...own]));
  const pods = podCIDRsOf(like).map((it) => free(it.length));
  const next = hasBlockOfItsOwn(model, like) ? withExternal(like, free(like.externalCIDR.length)) : like;
  const counted = howManyFit(model, like, setOf(networks));
  // No pod CIDR helps when ports or blocks are used up.
  const isFull = counted.fits === 0 && counted.limit?.kind !== 'networks';
  const costOf = (podCIDRs: readonly (Prefix | undefined)[]): JoinCost | null =>
    isFull || next === undefined || !podCIDRs.every((it) => it !== undefined) ? null : joinCost(model, next, podCIDRs);
  return {
    ...{ like: like.name, joins: joinedPeers(like).map((it) => it.name), ...counted },
    ...{ again: costOf(podCIDRsOf(like)), distinct: costOf(pods) },
  };
}

const withExternal = (like: AddressedCluster, prefix: Prefix | undefined): AddressedCluster | undefined =>
  prefix === undefined ? undefined : { ...like, external: { kind: 'explicit', prefix, at: like.external.at } };

/** True for an external CIDR that was chosen for this cluster alone, so that the next one gets another. */
const hasBlockOfItsOwn = ({ clusters }: AddressedModel, { name, external }: AddressedCluster): boolean =>
  external.kind === 'explicit' &&
  ![...clusters.values()].some((it) => it.name !== name && samePrefix(it.externalCIDR, external.prefix));

function setOf(networks: readonly Prefix[]): AddressSet {
  const set = new AddressSet();
  for (const it of networks) set.add(it);
  return set;
}

const podCIDRsOf = ({ podCIDRs }: Cluster): readonly Prefix[] => podCIDRs.map((it) => it.value);

/** Adds clusters until one has no place, with the allocators of all clusters that take part. */
function howManyFit(
  model: AddressedModel,
  like: AddressedCluster,
  taken: AddressSet,
): Pick<NextCluster, 'fits' | 'limit'> {
  const carve = blockCarver(model, taken);
  const hasOwnBlock = hasBlockOfItsOwn(model, like);
  const free = networksInNoUse(like, taken);
  const joined = joinedPeers(like).map(({ name, role, cluster }) => ({
    ...{ name, ipam: ipamOf(cluster), announced: announcedBy(cluster, cluster.externalCIDR) },
    ports: role === 'client' ? freePorts(model.links, cluster).left : MOST_COUNTED,
    peers: peersLeft(cluster),
  }));
  for (let fits = 0; fits < MOST_COUNTED; fits++) {
    const full = joined.find((it) => it.ports <= fits);
    if (full !== undefined) return { fits, limit: { kind: 'ports', cluster: full.name } };
    const name = nextName(model, fits + 1);
    const { length } = like.externalCIDR;
    const next = hasOwnBlock ? withExternal(like, free(length)) : like;
    if (next === undefined) return { fits, limit: { kind: 'networks', cluster: name, length } };
    const blocks = {
      external: next.external.kind === 'auto' ? carve(name, 'external') : undefined,
      internal: next.internal.kind === 'auto' ? carve(name, 'internal') : undefined,
    };
    if (BLOCKS.some((it) => next[it].kind === 'auto' && blocks[it] === undefined))
      return { fits, limit: { kind: 'blocks', length: model.fleet.carve.length } };
    const { ipam, externalCIDR } = placeOwnAddresses(next, blocks);
    const announced = [announcedBy(next, externalCIDR)];
    const views = [
      ...joined.map((it) => ({ name: it.name, ipam: it.ipam, links: announced })),
      { name, ipam, links: joined.map((it) => it.announced) },
    ];
    for (const viewer of views) {
      const seen = new Map<{ readonly cidr: Prefix }, Prefix>();
      const [refused] = acquireInTurn(viewer.links, viewer.ipam, seen);
      if (refused) return { fits, limit: { kind: 'networks', cluster: viewer.name, length: refused.cidr.length } };
      for (const it of seen.values()) taken.add(it);
    }
    const small = joined.find((it) => it.peers <= fits);
    if (small !== undefined) return { fits, limit: { kind: 'addresses', cluster: small.name } };
  }
  return { fits: MOST_COUNTED, limit: null };
}

const BLOCKS = ['external', 'internal'] as const;

const announcedBy = (cluster: Cluster, external: Prefix) => ({
  inTurn: false,
  requests: [...podCIDRsOf(cluster), external].map((cidr) => ({ cidr })),
});

/** A name that no cluster has. */
function nextName({ clusters }: AddressedModel, number: number): string {
  let name = `next-${number}`;
  while (clusters.has(name)) name = `next-${name}`;
  return name;
}

/** Gives the lowest networks in the pools of a cluster that are in use nowhere, each once. */
function networksInNoUse({ pools }: AddressedCluster, used: AddressSet): (length: number) => Prefix | undefined {
  const cursors = new Map<number, Iterator<Prefix, undefined>>();
  return (length) => {
    const cursor =
      cursors.get(length) ??
      networksIn(
        pools.map((it) => it.value),
        length,
      );
    cursors.set(length, cursor);
    for (let { value } = cursor.next(); value !== undefined; { value } = cursor.next()) {
      if (used.overlaps(value)) continue;
      used.add(value);
      return value;
    }
    return undefined;
  };
}

function* networksIn(pools: readonly Prefix[], length: number): Generator<Prefix, undefined> {
  for (const pool of pools) {
    const end = pool.base + 2 ** (32 - pool.length);
    for (let base = pool.base; pool.length <= length && base < end; base += 2 ** (32 - length)) yield { base, length };
  }
  return undefined;
}

/** Decides the addresses of the joined clusters again, with one link more. All others see what they see now. */
function joinCost(model: AddressedModel, like: AddressedCluster, podCIDRs: readonly Prefix[]): JoinCost | null {
  const joined = joinedPeers(like);
  const joins = new Set(joined.map((it) => it.name));
  const links = model.links.filter((it) => joins.has(it.server.cluster.name) || joins.has(it.client.cluster.name));
  const around = [...joins, ...links.flatMap((it) => [it.server.cluster.name, it.client.cluster.name])];
  const present = { ...model, clusters: new Map(around.map((it) => [it, clusterNamed(model, it)])), links };
  const name = nextName(model, 1);
  const next: Cluster = { ...like, name, podCIDRs: podCIDRs.map((value) => ({ value, at: like.at })) };
  const last = model.links.at(-1)?.join ?? 0;
  const added = joined.map((peer, i) => linkOfNext(peer, next, last + 1 + i));
  // Blocks are carved outside the networks of the whole fleet.
  const carve = blockCarver(
    model,
    setOf([...networksOfFleet(model), ...networksInUse({ clusters: new Map([[name, next]]) })]),
  );
  const blocks = BLOCKS.flatMap((block): readonly (readonly [string, string])[] => {
    const carved = next[block].kind === 'auto' ? carve(name, block) : undefined;
    return carved ? [[printLockKey({ kind: 'block', cluster: name, block }), printPrefix(carved)]] : [];
  });
  const decided = [...nextDecisions(present), ...blocks];
  const assigned = assignAddresses(
    {
      ...present,
      clusters: new Map<string, Cluster>([...present.clusters, [name, next]]),
      links: [...links, ...added],
    },
    new Map(decided.map(([key, value]) => [key, { value, at: model.fleet.at }])),
  );
  if (!assigned.ok) return null;
  const views = [name, ...joins].flatMap((cluster) =>
    [...clusterNamed(assigned.value, cluster).peers.values()].map((it) => ({ cluster, peer: it.name, now: it })),
  );
  return {
    podCIDRs: podCIDRs.map(printPrefix),
    externalCIDR: printPrefix(clusterNamed(assigned.value, name).externalCIDR),
    remaps: views
      .filter(({ cluster, peer }) => [cluster, peer].includes(name))
      .flatMap(({ cluster, peer }) => remapsIn(assigned.value, cluster, peer)),
    ordered: views
      .filter(({ cluster, peer, now }) => now.orderDependent && !isOrdered(present.clusters.get(cluster), peer))
      .map(({ cluster, peer }) => ({ cluster, peer })),
  };
}

const isOrdered = (cluster: AddressedCluster | undefined, peer: string): boolean =>
  cluster?.peers.get(peer)?.orderDependent === true;

const linkOfNext = ({ role, link, name }: Peer, next: Cluster, join: number): Link => ({
  ...link,
  [role]: { ...link[role], cluster: next },
  id: { first: next.name, second: name },
  ...{ join, nudge: 0 },
});

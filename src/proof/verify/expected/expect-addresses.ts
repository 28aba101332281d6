import { overlaps, type Prefix, samePrefix } from '../../../base/net/prefix.ts';
import type { CidrRequest, ClusterDeclaration } from '../../../fleet/topology/declaration.ts';
import type { ExpectedLink } from './expect-links.ts';
import { type NaiveIpam, naiveIpam } from './naive-ipam.ts';
import type { DecidedBefore } from './recorded.ts';

/** The carved blocks of a cluster; `null` when it has none, or no file contains it. */
export interface OwnBlocks {
  readonly external: Prefix | null;
  readonly internal: Prefix | null;
}

/** The addresses that a cluster's IPAM assigns. */
export interface ExpectedAddresses {
  /** `null` for a network that Liqo refuses, or a carved block that no file contains. */
  readonly external: Prefix | null;
  readonly internal: Prefix | null;
  /**
   * By peer: its pod CIDRs in list order, then its external CIDR. `null` while some peer's external CIDR is unknown.
   */
  readonly views: ReadonlyMap<string, readonly ExpectedView[]> | null;
  /** The peers whose views depend on the order of applying. */
  readonly contended: ReadonlySet<string>;
}

export interface ExpectedView {
  /** `null` when the IPAM has no free network for it. */
  readonly seenAs: Prefix | null;
  /** True when a fresh rollout would assign another network. */
  readonly isHistory: boolean;
}

interface Request {
  readonly peer: string;
  readonly kind: 'pod' | 'external';
  readonly cidr: Prefix;
}

interface AddressesRequest {
  readonly clusters: readonly ClusterDeclaration[];
  /** In join order. */
  readonly links: readonly ExpectedLink[];
  readonly blocks: ReadonlyMap<string, OwnBlocks>;
  readonly before: DecidedBefore;
}

/** Every address of the fleet, by cluster, computed only from the topology, the lock and the carved blocks. */
export function expectAddresses(request: AddressesRequest): ReadonlyMap<string, ExpectedAddresses> {
  const { clusters, links, before } = request;
  const own = new Map(clusters.map((it) => [it.name, startIpam(it, blocksOf(request, it))]));
  const peers = new Map<string, (readonly Request[] | null)[]>(clusters.map((it) => [it.name, []]));
  for (const { server, client } of links) {
    for (const [viewer, peer] of [
      [server, client],
      [client, server],
    ] as const) {
      peers.get(viewer.name)?.push(requestsFor(peer, own.get(peer.name)?.external ?? null));
    }
  }
  return new Map(
    clusters.map((cluster) => {
      const { external = null, internal = null, ipam = naiveIpam('liqo-1.2', []) } = own.get(cluster.name) ?? {};
      const all = peers.get(cluster.name) ?? [];
      const known = all.filter((it) => it !== null);
      const fresh = (): NaiveIpam => startIpam(cluster, blocksOf(request, cluster)).ipam;
      const isKnown = known.length === all.length && external !== null && internal !== null;
      const views = isKnown ? assignedViews(cluster.name, known, { ipam, fresh, before }) : null;
      const contended = views ? contendedPeers(known, views, fresh) : new Set<string>();
      return [cluster.name, { external, internal, views, contended }];
    }),
  );
}

const blocksOf = ({ blocks }: AddressesRequest, { name }: ClusterDeclaration): OwnBlocks =>
  blocks.get(name) ?? { external: null, internal: null };

/**
 * The networks that a cluster reserves before it has peers: pod, service and reserved networks unchanged, then external
 * and internal. The last two are moved when they collide; since 1.2 only defaults are.
 * Source: liqotech/liqo@v1.2.0 and @v1.1.2 deployments/liqo/templates (ipam Networks), pkg/ipam/core/ipam.go.
 */
export function startIpam(cluster: ClusterDeclaration, blocks: OwnBlocks) {
  const ipam = naiveIpam(
    cluster.allocator,
    cluster.pools.map((it) => it.value),
  );
  for (const { value } of [...cluster.podCIDRs, cluster.serviceCIDR, ...cluster.reserved]) ipam.reserve(value, true);
  const place = (own: CidrRequest, block: Prefix | null): Prefix | null => {
    const wanted = own.kind === 'auto' ? block : own.prefix;
    if (wanted === null) return null;
    const isExact = own.kind === 'auto' || (own.kind === 'explicit' && cluster.traits.pinsExplicitOwnCIDRs);
    if (isExact) return ipam.reserve(wanted, false) ? wanted : null;
    return ipam.acquire(wanted) ?? null;
  };
  const external = place(cluster.external, blocks.external);
  const internal = place(cluster.internal, blocks.internal);
  return { ipam, external, internal };
}

/**
 * The CIDRs of a peer that are remapped: pods in list order, then external. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/external-network/configuration.
 */
function requestsFor(peer: ClusterDeclaration, external: Prefix | null): readonly Request[] | null {
  if (external === null) return null;
  const pods = peer.podCIDRs.map(({ value }): Request => ({ peer: peer.name, kind: 'pod', cidr: value }));
  return [...pods, { peer: peer.name, kind: 'external', cidr: external }];
}

interface Deciding {
  readonly ipam: NaiveIpam;
  /** Creates an IPAM in the state before any peer. */
  readonly fresh: () => NaiveIpam;
  readonly before: DecidedBefore;
}

/**
 * Assigns the views of the lock that are still possible, next to those of peers that leave; then the links without a
 * remap, then the others in join order.
 */
function assignedViews(
  viewer: string,
  links: readonly (readonly Request[])[],
  { ipam, fresh, before }: Deciding,
): ReadonlyMap<string, readonly ExpectedView[]> {
  const seen = new Map<Request, Prefix>();
  for (const it of links.flat()) {
    const kept = before.isEmpty ? null : before.view(viewer, it.peer, it.kind, it.cidr);
    if (kept && kept.length === it.cidr.length && ipam.reserve(kept, false)) seen.set(it, kept);
  }
  // Tools prune last: the networks of a leaving peer are still taken when a new peer requests networks.
  const present = new Set(links.map((requests) => requests[0]?.peer));
  const leaving = (before.viewsBy.get(viewer) ?? []).filter((it) => !present.has(it.peer));
  for (const it of leaving) ipam.reserve(it.seenAs, false);
  const isNew = seen.size === 0 && leaving.length === 0;
  const open = links.map((requests) => requests.filter((it) => !seen.has(it)));
  const remapped = open.filter((requests) => {
    if (!fitUnmapped(requests, ipam)) return true;
    for (const it of requests) seen.set(it, ipam.acquire(it.cidr) ?? it.cidr);
    return false;
  });
  for (const it of remapped.flat()) {
    const given = ipam.acquire(it.cidr);
    if (given) seen.set(it, given);
  }
  const again = isNew ? seen : rollOut(links, seen, fresh());
  return new Map(
    links.map((requests) => [
      requests[0]?.peer ?? '',
      requests.map((it): ExpectedView => {
        const [seenAs, rolledOut] = [seen.get(it) ?? null, again.get(it)];
        return { seenAs, isHistory: seenAs !== null && !(rolledOut && samePrefix(rolledOut, seenAs)) };
      }),
    ]),
  );
}

/**
 * Up to this number of peers the compiler tries every order. With more, remapped peers come before the free ones that have kept
 * their networks so far, and after those that lost them, until no further peer loses its own, but at most six times; each
 * time all peers are also taken from the middle on.
 */
const MOST_TRIED = 5;
const MOST_ROUNDS = 6;

/** The peers that get other views in some order of applying, if at least one of them is remapped. */
function contendedPeers(
  links: readonly (readonly Request[])[],
  views: ReadonlyMap<string, readonly ExpectedView[]>,
  fresh: () => NaiveIpam,
): ReadonlySet<string> {
  const isRemapped = (requests: readonly Request[]): boolean =>
    requests.some((it, i) => {
      const seenAs = views.get(it.peer)?.[i]?.seenAs ?? null;
      return seenAs !== null && !samePrefix(seenAs, it.cidr);
    });
  const [remapped, free] = [links.filter(isRemapped), links.filter((it) => !isRemapped(it))];
  if (remapped.length === 0) return new Set();
  const joined = [...free, ...remapped];
  const usual = answersTo(joined, fresh());
  const varying = (orders: readonly (readonly (readonly Request[])[])[]): readonly string[] =>
    orders.flatMap((order) =>
      [...answersTo(order, fresh())].flatMap(([peer, it]) => (it === usual.get(peer) ? [] : [peer])),
    );
  if (links.length <= MOST_TRIED) return new Set(varying(permutations(joined)));
  const contended = new Set<string>();
  for (
    let known = -1, round = 0;
    round < MOST_ROUNDS && known < contended.size && contended.size < links.length;
    round++
  ) {
    known = contended.size;
    const isFound = (requests: readonly Request[]): boolean => contended.has(requests[0]?.peer ?? '');
    const [lost, kept] = [free.filter(isFound), free.filter((it) => !isFound(it))];
    const backwards = remapped.toReversed();
    const middle = Math.ceil(joined.length / 2) + round;
    const orders = [
      [...lost, ...remapped, ...kept],
      [...lost, ...backwards, ...kept],
      [...backwards, ...lost.toReversed(), ...kept.toReversed()],
      [...joined.slice(middle), ...joined.slice(0, middle)],
    ];
    for (const it of varying(orders)) contended.add(it);
  }
  return contended;
}

/** The networks that the IPAM assigns to each peer when all request them in this order. */
function answersTo(links: readonly (readonly Request[])[], ipam: NaiveIpam): ReadonlyMap<string, string> {
  const given = links.map((requests) => {
    const all = requests.map((it) => ipam.acquire(it.cidr)).map((it) => (it ? `${it.base}/${it.length}` : 'none'));
    return [requests[0]?.peer ?? '', all.join(' ')] as const;
  });
  return new Map(given);
}

const permutations = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.length === 0
    ? [[]]
    : items.flatMap((it, i) => permutations(items.toSpliced(i, 1)).map((others) => [it, ...others]));

const fitUnmapped = (requests: readonly Request[], ipam: NaiveIpam): boolean =>
  requests.every((it, i) => ipam.fits(it.cidr) && !requests.some((other, j) => j < i && overlaps(other.cidr, it.cidr)));

/**
 * The networks that a rollout of this bundle assigns: first to links without a remap, then to the others in join order.
 */
function rollOut(
  links: readonly (readonly Request[])[],
  seen: ReadonlyMap<Request, Prefix>,
  ipam: NaiveIpam,
): ReadonlyMap<Request, Prefix> {
  const again = new Map<Request, Prefix>();
  const needsRemap = (requests: readonly Request[]): boolean =>
    requests.some((it) => !samePrefix(seen.get(it) ?? it.cidr, it.cidr));
  const free = links.filter((it) => !needsRemap(it));
  for (const it of [...free, ...links.filter(needsRemap)].flat()) {
    const given = ipam.acquire(it.cidr);
    if (given) again.set(it, given);
  }
  return again;
}

import type { CidrKind } from '../core/lock-key.ts';
import { andMore } from '../core/words.ts';
import { bug } from '../diagnostics/bug.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { contradiction } from '../lock/contradiction.ts';
import { type Decisions, decisionAbout } from '../lock/decisions.ts';
import type { Cluster, Link } from '../model/network-model.ts';
import { overlaps, type Prefix, samePrefix } from '../net/prefix.ts';
import { printPrefix, readPrefix } from '../net/text.ts';
import { allocatorTraits } from '../releases/allocators.ts';
import type { Located } from '../source/located.ts';
import type { Peer, View } from './addressed-model.ts';
import type { Allocator } from './allocators/allocator.ts';
import type { OwnAddresses } from './own-addresses.ts';

/** What a peer announces to a cluster, over one link. */
export interface Announcement {
  readonly link: Link;
  readonly peer: Cluster;
  readonly podCIDRs: readonly Prefix[];
  readonly externalCIDR: Prefix;
}

/** One request to the IPAM of the viewing cluster. */
interface Request {
  readonly announcement: Announcement;
  readonly kind: CidrKind;
  readonly cidr: Prefix;
}

export interface AssignedViews {
  /** By name, in apply order. */
  readonly peers: ReadonlyMap<string, Peer>;
  readonly found: readonly Diagnostic[];
}

type Seen = Map<Request, Prefix>;

/**
 * How a cluster sees all its peers. Views of the lock stay. The others are assigned as in a rollout: first the links that
 * need no remap, which may be applied in any order, then the others one by one in join order.
 *
 * @param freshIpam makes a new IPAM in the state after the cluster's own reservations, for the replay.
 */
export function assignViews(
  cluster: Cluster,
  announcements: readonly Announcement[],
  own: OwnAddresses,
  freshIpam: () => Allocator,
  decisions: Decisions,
): AssignedViews {
  const found: Diagnostic[] = [];
  const links = announcements.map(requestsOf);
  const seen: Seen = new Map();
  keepViews(cluster, links, own, decisions, seen, found);
  const anyKept = seen.size > 0;
  const open = links.map((requests) => requests.filter((it) => !seen.has(it))).filter((it) => it.length > 0);
  const remapped = open.filter((requests) => !takeUnremapped(requests, own.ipam, seen));
  const failed = remapped.flatMap((requests) => requests.filter((it) => !acquire(it, own.ipam, seen)));
  found.push(...refusals(cluster, failed, own.ipam));
  const replayed = anyKept ? replay(links, seen, freshIpam()) : seen;
  const peers = links.map((requests) => peerOf(cluster, requests, seen, replayed));
  const inApplyOrder = [...peers.filter((it) => !it.orderDependent), ...peers.filter((it) => it.orderDependent)];
  return { peers: new Map(inApplyOrder.map((it) => [it.name, it])), found };
}

/** In one peer, pod CIDRs in list order come first, then the external one. Source: liqotech/liqo@v1.2.0 .../external-network/configuration. */
function requestsOf(announcement: Announcement): readonly Request[] {
  return [
    ...announcement.podCIDRs.map((cidr): Request => ({ announcement, kind: 'pod', cidr })),
    { announcement, kind: 'external', cidr: announcement.externalCIDR },
  ];
}

function keepViews(
  cluster: Cluster,
  links: readonly (readonly Request[])[],
  own: OwnAddresses,
  decisions: Decisions,
  seen: Seen,
  found: Diagnostic[],
): void {
  if (decisions.size === 0) return;
  const placed: { readonly request: Request; readonly kept: Located<Prefix> }[] = [];
  for (const request of links.flat()) {
    const kept = keptView(cluster, request, decisions);
    if (!kept) continue;
    const given = kept.value.length === request.cidr.length ? own.ipam.reserve(kept.value, false) : undefined;
    if (given?.ok) {
      placed.push({ request, kept });
      seen.set(request, kept.value);
      continue;
    }
    const other = placed.find((it) => overlaps(it.kept.value, kept.value));
    found.push(
      other ? keptTwice(cluster, request, kept, other.request, other.kept) : viewMoved(cluster, request, kept, own),
    );
  }
}

function keptView(
  cluster: Cluster,
  { announcement, kind, cidr }: Request,
  decisions: Decisions,
): Located<Prefix> | undefined {
  const link = announcement.link.id;
  const kept = decisionAbout<string>(decisions, { kind: 'view', link, viewer: cluster.name, role: kind, cidr });
  const reading = kept && readPrefix(String(kept.value));
  return kept && reading?.ok ? { value: reading.prefix, at: kept.at } : undefined;
}

/** Takes all requests of a link without a remap, or none of them. */
function takeUnremapped(requests: readonly Request[], ipam: Allocator, seen: Seen): boolean {
  if (!requests.every((it) => ipam.fits(it.cidr))) return false;
  const taken: Prefix[] = [];
  for (const it of requests) {
    const given = ipam.acquire(it.cidr);
    if (!given.ok || !samePrefix(given.prefix, it.cidr)) {
      // Two CIDRs of one peer overlap: free what was taken, and remap the link.
      for (const prefix of given.ok ? [...taken, given.prefix] : taken) ipam.release(prefix);
      return false;
    }
    taken.push(given.prefix);
  }
  for (const it of requests) seen.set(it, it.cidr);
  return true;
}

function acquire(request: Request, ipam: Allocator, seen: Seen): boolean {
  const given = ipam.acquire(request.cidr);
  if (given.ok) seen.set(request, given.prefix);
  return given.ok;
}

/** What a fresh rollout of this bundle would assign: links without a remap first, then the others in join order. */
function replay(links: readonly (readonly Request[])[], seen: Seen, ipam: Allocator): Seen {
  const again: Seen = new Map();
  const free = links.filter((requests) => !needsRemap(requests, seen));
  const ordered = links.filter((requests) => needsRemap(requests, seen));
  for (const request of [...free, ...ordered].flat()) acquire(request, ipam, again);
  return again;
}

const needsRemap = (requests: readonly Request[], seen: Seen): boolean =>
  requests.some((it) => !samePrefix(seen.get(it) ?? it.cidr, it.cidr));

function peerOf(cluster: Cluster, requests: readonly Request[], seen: Seen, replayed: Seen): Peer {
  const [first] = requests;
  if (first === undefined) return bug(`a peer of "${cluster.name}" that announces nothing`);
  const { link, peer } = first.announcement;
  const viewOf = (it: Request): View => {
    const seenAs = seen.get(it) ?? it.cidr;
    const again = replayed.get(it);
    // In a rebuild there may also be no room for it.
    const history = seen.has(it) && (again === undefined || !samePrefix(again, seenAs));
    return { cidr: it.cidr, seenAs, history };
  };
  const views = requests.map(viewOf);
  return {
    name: peer.name,
    link,
    role: link.server.cluster.name === cluster.name ? 'server' : 'client',
    podViews: views.slice(0, -1),
    externalView: views.at(-1) ?? viewOf(first),
    orderDependent: needsRemap(requests, seen),
  };
}

const nameOf = ({ announcement, kind, cidr }: Request): string =>
  `${kind} CIDR ${printPrefix(cidr)} of "${announcement.peer.name}"`;

function keptTwice(
  cluster: Cluster,
  request: Request,
  kept: Located<Prefix>,
  other: Request,
  earlier: Located<Prefix>,
): Diagnostic {
  const views = samePrefix(kept.value, earlier.value)
    ? `sees both the ${nameOf(request)} and the ${nameOf(other)} as ${printPrefix(kept.value)}`
    : `sees the ${nameOf(request)} as ${printPrefix(kept.value)} and the ${nameOf(other)} as ${printPrefix(earlier.value)}, which overlap`;
  return contradiction({
    message: `in the lock file "${cluster.name}" ${views}`,
    later: kept.at,
    earlier: { message: 'the other decision', span: earlier.at },
    cluster: cluster.name,
    peer: request.announcement.peer.name,
  });
}

function viewMoved(cluster: Cluster, request: Request, kept: Located<Prefix>, own: OwnAddresses): Diagnostic {
  return diagnostic(
    'lock/view-moved',
    cluster.at,
    `"${cluster.name}" can no longer see the ${nameOf(request)} as ${printPrefix(kept.value)}: ${obstacle(cluster, kept.value, request.cidr, own)}`,
    {
      hint: `delete and recreate the Configuration of "${request.announcement.peer.name}" in "${cluster.name}": a live cluster keeps the old view until then, and flows to the old view break`,
      related: [{ message: 'recorded in the lock file here', span: kept.at }],
    },
  );
}

function obstacle(cluster: Cluster, kept: Prefix, cidr: Prefix, own: OwnAddresses): string {
  if (kept.length !== cidr.length) return `its length is not /${cidr.length}`;
  const ownNetworks: readonly (readonly [string, Prefix])[] = [
    ...cluster.podCIDRs.map((it) => ['pod CIDR', it.value] as const),
    ['service CIDR', cluster.serviceCIDR.value],
    ...cluster.reserved.map((it) => ['reserved network', it.value] as const),
    ['external CIDR', own.externalCIDR],
    ['internal CIDR', own.internalCIDR],
  ];
  const other = ownNetworks.find(([, it]) => overlaps(it, kept));
  return other ? `it overlaps the cluster's own ${other[0]} ${printPrefix(other[1])}` : 'it lies in none of its pools';
}

/** One diagnostic for a cluster and kind of failure: a thousand equal ones would hide the first. */
function refusals(cluster: Cluster, failed: readonly Request[], ipam: Allocator): readonly Diagnostic[] {
  if (failed.length === 0) return [];
  const pools = cluster.pools.map((it) => it.value);
  const inPool = (cidr: Prefix): boolean => pools.some((it) => it.length <= cidr.length && overlaps(it, cidr));
  const refusesOutside = allocatorTraits(cluster.allocator).outsidePools === 'refused';
  const outside = refusesOutside ? failed.filter((it) => !inPool(it.cidr)) : [];
  const exhausted = failed.filter((it) => !outside.includes(it));
  return [
    ...outside.map((it) => outsidePools(cluster, it)),
    ...(exhausted[0] ? [noRoom(cluster, exhausted[0], exhausted.length, ipam)] : []),
  ];
}

function outsidePools(cluster: Cluster, request: Request): Diagnostic {
  const { link, peer } = request.announcement;
  const own = peer.podCIDRs.find((it) => samePrefix(it.value, request.cidr))?.at ?? peer.at;
  return diagnostic(
    'topology/peer-cidr-outside-pools',
    own,
    `the ${nameOf(request)} lies in none of the IPAM pools of "${cluster.name}", and in Liqo ${cluster.release.line} such a peer never becomes ready`,
    {
      hint: `add it to \`ipam.pools\` of "${cluster.name}", or upgrade that cluster to 1.2, which remaps it`,
      related: [{ message: `"${cluster.name}" is linked to it`, span: link.kind === 'hub' ? cluster.at : link.at }],
    },
  );
}

function noRoom(cluster: Cluster, first: Request, count: number, ipam: Allocator): Diagnostic {
  const { length } = first.cidr;
  const longer = [1, 2, 3, 4, 6, 8].map((it) => length + it).find((it) => it <= 30 && ipam.countFree(it) >= count);
  const room = longer === undefined ? '' : `; the free space has room for ${ipam.countFree(longer)} of /${longer}`;
  return diagnostic(
    'ipam/exhausted',
    cluster.at,
    `"${cluster.name}" has no network of length /${length} left for the ${nameOf(first)}${andMore(count - 1)}${room}`,
    {
      hint: 'give clusters distinct networks (`externalCIDR: auto` needs no remap), use smaller ones, or add a pool with `ipam.pools`',
      related:
        first.announcement.link.at === cluster.at
          ? []
          : [{ message: 'the first link without room', span: first.announcement.link.at }],
    },
  );
}

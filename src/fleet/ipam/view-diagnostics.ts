import { andMore, countOf } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic, type Subject } from '../../base/diagnostics/diagnostic.ts';
import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { overlaps, type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { allocatorTraits, firstLineThatMovesIntoPools } from '../../base/releases/allocators.ts';
import type { Located } from '../../base/source/source.ts';
import { contradiction } from '../lock/lock.ts';
import type { Cluster } from '../model/network-model.ts';
import type { View } from './addressed-model.ts';
import type { Allocator } from './allocators/allocator.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { describeRequest, type LeavingView, type ViewRequest } from './view-request.ts';

/** One diagnostic per cluster and kind of failure: a thousand equal ones would hide the first. */
export function refusedViews(
  cluster: Cluster,
  failed: readonly ViewRequest[],
  ipam: Allocator,
  leaving: readonly LeavingView[],
): readonly Diagnostic[] {
  if (failed.length === 0) return [];
  const pools = cluster.pools.map((it) => it.value);
  const inPool = (cidr: Prefix): boolean => pools.some((it) => it.length <= cidr.length && overlaps(it, cidr));
  const refusesOutside = allocatorTraits(cluster.allocator).outsidePools === 'refused';
  const outside = new Set(refusesOutside ? failed.filter((it) => !inPool(it.cidr)) : []);
  const exhausted = failed.filter((it) => !outside.has(it));
  return [
    ...[...outside].map((it) => outsidePools(cluster, it)),
    ...(exhausted[0] ? [noRoom(cluster, [exhausted[0], ...exhausted.slice(1)], ipam, leaving)] : []),
  ];
}

function outsidePools(cluster: Cluster, request: ViewRequest): Diagnostic {
  const { link, peer } = request.announcement;
  const own = peer.podCIDRs.find((it) => samePrefix(it.value, request.cidr))?.at ?? peer.at;
  return diagnostic(
    'topology/peer-cidr-outside-pools',
    own,
    `the ${describeRequest(request)} lies in none of the IPAM pools of "${cluster.name}", and in Liqo ${cluster.release.line} such a peer never becomes ready`,
    {
      hint: `add it to \`ipam.pools\` of "${cluster.name}", or upgrade that cluster to ${firstLineThatMovesIntoPools()}, which remaps it`,
      related: [{ message: `"${cluster.name}" is linked to it`, span: link.kind === 'hub' ? cluster.at : link.at }],
    },
  );
}

function noRoom(
  cluster: Cluster,
  exhausted: readonly [ViewRequest, ...ViewRequest[]],
  ipam: Allocator,
  leaving: readonly LeavingView[],
): Diagnostic {
  const [first] = exhausted;
  const { length: count } = exhausted;
  const { length } = first.cidr;
  const longer = [1, 2, 3, 4, 6, 8].map((it) => length + it).find((it) => it <= 30 && ipam.countFree(it) >= count);
  const room = longer === undefined ? '' : `; the free space has room for ${ipam.countFree(longer)} of /${longer}`;
  // Views of peers that leave in this compile are still taken.
  const isAuto = exhausted.every(({ kind, announcement: { peer } }) => kind === 'pod' || peer.external.kind === 'auto');
  const distinct = `give clusters distinct networks${isAuto ? '' : ' (`externalCIDR: auto` needs no remap)'}`;
  const before = leaving[0] ? `remove "${leaving[0].peer}" in a change of its own first, ` : '';
  return diagnostic(
    'ipam/exhausted',
    cluster.at,
    `"${cluster.name}" has no network of length /${length} left for the ${describeRequest(first)}${andMore(count - 1)}${room}`,
    {
      hint: `${before}${distinct}, use smaller ones, or add a pool with \`ipam.pools\``,
      related:
        first.announcement.link.at === cluster.at
          ? []
          : [{ message: 'the first link without room', span: first.announcement.link.at }],
    },
  );
}

/** Two decisions of the lock that exclude each other. */
export function viewKeptTwice(
  cluster: Cluster,
  request: ViewRequest,
  kept: Located<Prefix>,
  other: ViewRequest,
  earlier: Located<Prefix>,
): Diagnostic {
  const views = samePrefix(kept.value, earlier.value)
    ? `sees both the ${describeRequest(request)} and the ${describeRequest(other)} as ${printPrefix(kept.value)}`
    : `sees the ${describeRequest(request)} as ${printPrefix(kept.value)} and the ${describeRequest(other)} as ${printPrefix(earlier.value)}, which overlap`;
  return contradiction({
    message: `in the lock file "${cluster.name}" ${views}`,
    later: kept.at,
    earlier: { message: 'the other decision', span: earlier.at },
    cluster: cluster.name,
    peer: request.announcement.peer.name,
  });
}

/** A decision of the lock that this cluster can no longer keep. */
export function viewMoved(
  cluster: Cluster,
  request: ViewRequest,
  kept: Located<Prefix>,
  own: OwnAddresses,
): Diagnostic {
  return diagnostic(
    'lock/view-moved',
    cluster.at,
    `"${cluster.name}" can no longer see the ${describeRequest(request)} as ${printPrefix(kept.value)}: ${viewObstacle(cluster, own, { cidr: request.cidr, seenAs: kept.value })}`,
    {
      hint: `delete and recreate the Configuration of "${request.announcement.peer.name}" in "${cluster.name}": a live cluster keeps the old view until then, and flows to the old view break`,
      related: [{ message: 'recorded in the lock file here', span: kept.at }],
    },
  );
}

interface Displaced {
  readonly request: ViewRequest;
  readonly seenAs: Prefix;
  readonly by: LeavingView;
}

/**
 * A warning about the new views of a cluster that are remapped because the network of a leaving peer is still taken.
 */
export function displacedByLeavers(
  requests: readonly ViewRequest[],
  seen: ReadonlyMap<ViewRequest, Prefix>,
  leaving: readonly LeavingView[],
): readonly Diagnostic[] {
  if (leaving.length === 0) return [];
  const index = new OverlapIndex<LeavingView>();
  for (const it of leaving) index.add(it.seenAs.value, it);
  const [first, ...others] = requests.flatMap((request): readonly Displaced[] => {
    const seenAs = seen.get(request);
    const by = index.first(request.cidr);
    return by && seenAs && !samePrefix(seenAs, request.cidr) ? [{ request, seenAs, by }] : [];
  });
  if (first === undefined) return [];
  const { request, seenAs, by } = first;
  const { viewer, peer } = request.announcement;
  const same = others.length === 0 ? '' : `; the same is true of ${countOf(others.length, 'more view')}`;
  return [
    diagnostic(
      'ipam/taken-by-leaver',
      peer.at,
      `"${viewer.name}" sees the ${describeRequest(request)} as ${printPrefix(seenAs)}, because "${by.peer}" has ${printPrefix(by.seenAs.value)} until it is removed${same}`,
      {
        about: [first, ...others].map((it) => subjectOfRequest(it.request)),
        hint: `to keep the network of "${peer.name}", remove "${by.peer}" in a change of its own, apply it, and then add "${peer.name}"`,
        related: [{ message: 'recorded in the lock file here', span: by.seenAs.at }],
      },
    ),
  ];
}

/**
 * A warning about new views of a cluster in networks that another peer, which stays, has until its own change is applied.
 * Both are applied at once, so it is left to chance which is first.
 */
export function networksHandedOver(
  requests: readonly ViewRequest[],
  seen: ReadonlyMap<ViewRequest, Prefix>,
  changed: readonly LeavingView[],
): readonly Diagnostic[] {
  return requests.flatMap((request): readonly Diagnostic[] => {
    const seenAs = seen.get(request);
    const { viewer, peer } = request.announcement;
    const by = changed.find((it) => it.peer !== peer.name && seenAs && overlaps(it.seenAs.value, seenAs));
    if (by === undefined || seenAs === undefined) return [];
    return [
      diagnostic(
        'ipam/handed-over',
        peer.at,
        `"${viewer.name}" is to see the ${describeRequest(request)} as ${printPrefix(seenAs)}, which "${by.peer}" has until the same change is applied: which of the two comes first is left to chance`,
        {
          about: [subjectOfRequest(request)],
          hint: `change "${by.peer}" alone, apply it, and then "${peer.name}"`,
          related: [{ message: 'recorded in the lock file here', span: by.seenAs.at }],
        },
      ),
    ];
  });
}

const subjectOfRequest = ({ announcement: { viewer, peer } }: ViewRequest): Subject => [viewer.name, peer.name];

/**
 * The reason why a network, which is no peer's, cannot be a cluster's view of a CIDR, for example `its length is not
 * /16`.
 */
export function viewObstacle(
  cluster: Cluster,
  own: { readonly externalCIDR: Prefix; readonly internalCIDR: Prefix },
  { cidr, seenAs }: Pick<View, 'cidr' | 'seenAs'>,
): string {
  if (seenAs.length !== cidr.length) return `its length is not /${cidr.length}`;
  const ownNetworks: readonly (readonly [string, Prefix])[] = [
    ...cluster.podCIDRs.map((it) => ['pod CIDR', it.value] as const),
    ['service CIDR', cluster.serviceCIDR.value],
    ...cluster.reserved.map((it) => ['reserved network', it.value] as const),
    ['external CIDR', own.externalCIDR],
    ['internal CIDR', own.internalCIDR],
  ];
  const other = ownNetworks.find(([, it]) => overlaps(it, seenAs));
  return other ? `it overlaps the cluster's own ${other[0]} ${printPrefix(other[1])}` : 'it lies in none of its pools';
}

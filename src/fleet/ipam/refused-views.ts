import { andMore } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { overlaps, type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { allocatorTraits, firstLineThatMovesIntoPools } from '../../base/releases/allocators.ts';
import type { Cluster } from '../model/network-model.ts';
import type { Allocator } from './allocators/allocator.ts';
import type { LeavingView } from './leaving-views.ts';
import { describeRequest, type ViewRequest } from './view-request.ts';

/** One diagnostic for a cluster and kind of failure: a thousand equal ones would hide the first. */
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
  // What leaves in this compile still counts as taken.
  const before = leaving[0] ? `remove "${leaving[0].peer}" in a change of its own first, ` : '';
  return diagnostic(
    'ipam/exhausted',
    cluster.at,
    `"${cluster.name}" has no network of length /${length} left for the ${describeRequest(first)}${andMore(count - 1)}${room}`,
    {
      hint: `${before}give clusters distinct networks (\`externalCIDR: auto\` needs no remap), use smaller ones, or add a pool with \`ipam.pools\``,
      related:
        first.announcement.link.at === cluster.at
          ? []
          : [{ message: 'the first link without room', span: first.announcement.link.at }],
    },
  );
}

import { firstOf } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { OverlapIndex } from '../../../base/net/overlap-index.ts';
import { contains, type Prefix } from '../../../base/net/prefix.ts';
import { printPrefix } from '../../../base/net/text.ts';
import { allocatorTraits } from '../../../base/releases/allocators.ts';
import type { Located } from '../../../base/source/source.ts';
import type { ClusterDeclaration } from '../declaration.ts';
import type { TopologyRule } from './topology-rule.ts';

/**
 * Pools are disjoint (1.0 would assign the same network twice, 1.2 refuses them), and a network that Liqo reserves
 * exactly is inside one of them if Liqo requires it. Source: liqotech/liqo@v1.1.2 and @v1.2.0 pkg/ipam/core/ipam.go.
 */
export const poolsContainOwnCidrs: TopologyRule = function* (topology) {
  for (const cluster of topology.clusters) {
    yield* overlappingPools(cluster);
    const pools = new OverlapIndex<Prefix>();
    for (const { value } of cluster.pools) pools.add(value, value);
    if (allocatorTraits(cluster.allocator).outsidePools !== 'refused') yield* aroundPools(cluster, pools);
    for (const { role, cidr } of exactInsidePools(cluster)) {
      const pool = pools.first(cidr.value);
      if (pool !== undefined && contains(pool, cidr.value)) continue;
      yield diagnostic(
        'topology/own-cidr-outside-pools',
        cidr.at,
        `${role} ${printPrefix(cidr.value)} of "${cluster.name}" lies in none of its IPAM pools, which Liqo ${cluster.release.line} refuses`,
        {
          hint: `add a pool with \`ipam.pools\`, or choose a network inside ${firstOf(
            cluster.pools.map((it) => printPrefix(it.value)),
            SHOWN_POOLS,
          )}`,
        },
      );
    }
  }
};

/** The most pools in a hint. */
const SHOWN_POOLS = 8;

/** Liqo ignores or refuses a reservation that is wider than a pool, so the IPAM would assign its addresses. */
function* aroundPools(cluster: ClusterDeclaration, pools: OverlapIndex<Prefix>): Iterable<Diagnostic> {
  const own = [
    ...cluster.podCIDRs.map((cidr) => ({ role: 'pod CIDR', cidr })),
    { role: 'service CIDR', cidr: cluster.serviceCIDR },
    ...cluster.reserved.map((cidr) => ({ role: 'reserved network', cidr })),
  ];
  for (const { role, cidr } of own) {
    const pool = pools.first(cidr.value);
    if (pool === undefined || cidr.value.length >= pool.length) continue;
    yield diagnostic(
      'topology/own-cidr-outside-pools',
      cidr.at,
      `${role} ${printPrefix(cidr.value)} of "${cluster.name}" is wider than the IPAM pool ${printPrefix(pool)} inside it, so Liqo does not keep it free`,
      { hint: `reserve parts that lie inside the pools, or remove ${printPrefix(pool)} from \`ipam.pools\`` },
    );
  }
}

function* overlappingPools(cluster: ClusterDeclaration): Iterable<Diagnostic> {
  const index = new OverlapIndex<Located<Prefix>>();
  for (const later of cluster.pools) {
    const earlier = index.first(later.value);
    index.add(later.value, later);
    if (!earlier) continue;
    yield diagnostic(
      'topology/pools-overlap',
      later.at,
      `pool ${printPrefix(later.value)} overlaps pool ${printPrefix(earlier.value)}`,
      {
        hint: 'keep the wider of the two: the IPAM would assign the same addresses twice',
        related: [{ message: 'the other pool', span: earlier.at }],
      },
    );
  }
}

/** Networks that the IPAM refuses outside its pools: all up to 1.1, explicit external and internal ones from 1.2. */
function exactInsidePools(
  cluster: ClusterDeclaration,
): readonly { readonly role: string; readonly cidr: Located<Prefix> }[] {
  const { outsidePools } = allocatorTraits(cluster.allocator);
  if (outsidePools === 'granted') return [];
  const all = outsidePools === 'refused';
  const requests = [
    ['external CIDR', cluster.external],
    ['internal CIDR', cluster.internal],
  ] as const;
  return [
    ...(all ? cluster.podCIDRs.map((cidr) => ({ role: 'pod CIDR', cidr })) : []),
    ...(all ? [{ role: 'service CIDR', cidr: cluster.serviceCIDR }] : []),
    ...(all ? cluster.reserved.map((cidr) => ({ role: 'reserved network', cidr })) : []),
    ...requests.flatMap(([role, request]) =>
      request.kind === 'explicit' || (request.kind === 'default' && all)
        ? [{ role, cidr: { value: request.prefix, at: request.at } }]
        : [],
    ),
  ];
}

/** The most networks in a sentence. */
const SHOWN_NETWORKS = 8;

const shown = (networks: readonly { readonly value: Prefix }[]): string =>
  firstOf(
    networks.map((it) => printPrefix(it.value)),
    SHOWN_NETWORKS,
  );

/** Prefix lengths, in bits, of the blocks that weft carves. */
const WIDEST_BLOCK = 8;
const NARROWEST_BLOCK = 30;

/** `auto` blocks are carved from networks that every cluster's IPAM accepts, and are longer than those. */
export const carveLiesInPools: TopologyRule = function* ({ carve, clusters }) {
  if (!clusters.some((it) => it.external.kind === 'auto' || it.internal.kind === 'auto')) return;
  const { from, length } = carve;
  if (from.length === 0) {
    const [first] = clusters.filter((it) => it.external.kind === 'auto' || it.internal.kind === 'auto');
    const at = first?.external.kind === 'auto' ? first.external.at : (first?.internal.at ?? length.at);
    yield diagnostic(
      'topology/carve-outside-pools',
      at,
      'no network lies in the IPAM pools of every cluster, so `auto` blocks cannot be carved',
      {
        hint: 'give the clusters a pool in common with `ipam.pools`, or set explicit external and internal CIDRs',
      },
    );
    return;
  }
  const shortest = from.reduce((least, it) => Math.min(least, it.value.length), 32);
  const widest = Math.max(WIDEST_BLOCK, shortest);
  if (length.value < widest || length.value > NARROWEST_BLOCK) {
    yield diagnostic(
      'topology/wrong-value',
      length.at,
      `blocks of /${length.value} cannot be carved from ${shown(from)}`,
      { hint: lengthHint(widest) },
    );
  }
  for (const cluster of clusters) {
    const pools = new OverlapIndex<Prefix>();
    for (const { value } of cluster.pools) pools.add(value, value);
    const outside = from.find(({ value }) => {
      const pool = pools.first(value);
      return pool === undefined || !contains(pool, value);
    });
    if (!outside) continue;
    yield diagnostic(
      'topology/carve-outside-pools',
      outside.at,
      `\`auto\` blocks are carved from ${printPrefix(outside.value)}, which lies in none of the IPAM pools of "${cluster.name}"`,
      {
        hint: `set \`ipam.carve.from\` to a network inside ${shown(cluster.pools)}`,
      },
    );
    return;
  }
};

/** `widest` is the length of the widest block that fits into the networks. */
function lengthHint(widest: number): string {
  if (widest >= NARROWEST_BLOCK) return 'carve from a wider network, with `ipam.carve.from` or `ipam.pools`';
  const example = widest > 20 ? '' : '; 20 gives 4096 addresses per cluster';
  return `set \`ipam.carve.prefix\` to a length from ${widest} to ${NARROWEST_BLOCK}${example}`;
}

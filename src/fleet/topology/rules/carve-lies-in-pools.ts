import { firstOf } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { OverlapIndex } from '../../../base/net/overlap-index.ts';
import { contains, type Prefix } from '../../../base/net/prefix.ts';
import { printPrefix } from '../../../base/net/text.ts';
import type { TopologyRule } from './topology-rule.ts';

/** How many networks a sentence lists. */
const SHOWN = 8;

const shown = (networks: readonly { readonly value: Prefix }[]): string =>
  firstOf(
    networks.map((it) => printPrefix(it.value)),
    SHOWN,
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

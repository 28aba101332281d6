import { firstOf } from '../../core/words.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { OverlapIndex } from '../../net/overlap-index.ts';
import { contains, type Prefix } from '../../net/prefix.ts';
import { printPrefix } from '../../net/text.ts';
import type { TopologyRule } from './topology-rule.ts';

/** How many networks a sentence lists. */
const SHOWN = 8;

const shown = (networks: readonly { readonly value: Prefix }[]): string =>
  firstOf(
    networks.map((it) => printPrefix(it.value)),
    SHOWN,
  );

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
  const widest = from.reduce((least, it) => Math.min(least, it.value.length), 32);
  if (length.value < Math.max(widest, 8) || length.value > 30) {
    yield diagnostic(
      'topology/wrong-value',
      length.at,
      `blocks of /${length.value} cannot be carved from ${shown(from)}`,
      {
        hint: `set \`ipam.carve.prefix\` to a length from ${Math.max(widest, 8)} to 30; 20 is 4,094 addresses per cluster`,
      },
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

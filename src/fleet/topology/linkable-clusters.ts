import { by } from '../../base/core/order.ts';
import type { ClusterSpec } from '../../base/schema-types/topology.ts';
import type { Located } from '../../base/source/located.ts';
import type { Reading } from '../../base/source/reading.ts';
import { hubsOf } from './hubs-of.ts';
import type { LinkableCluster } from './select-pairs.ts';

interface WrittenCluster {
  readonly name: Located<string>;
  /** With the defaults. */
  readonly cluster: Reading<ClusterSpec>;
}

/** What labels in links select from, by name and in order of name. Links are read before the clusters, whose rules need them. */
export function linkableClusters(
  written: readonly WrittenCluster[],
  hubsOfTheFleet: readonly Located<string>[],
): ReadonlyMap<string, LinkableCluster> {
  const clusters = written
    .map(({ name, cluster }) => ({
      name: name.value,
      retired: cluster.at('retired').orDefault(false).value,
      labels: cluster.at('labels').textMap(),
      hubs: cluster.at('hub').texts() ?? null,
    }))
    .sort(by((it) => it.name));
  const hubs = hubsOf(clusters, hubsOfTheFleet);
  return new Map(clusters.map((it) => [it.name, { ...it, hubs: hubs(it) }]));
}

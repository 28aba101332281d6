import { byCodeUnit } from '../../../base/core/order.ts';
import { firstOf } from '../../../base/core/words.ts';
import { clustersOf } from '../../../base/diagnostics/acceptance.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { meantHints } from '../../../base/diagnostics/did-you-mean.ts';
import type { Located } from '../../../base/source/located.ts';
import type { Selector } from '../selector.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Hubs, links, the order, assertions, acceptances, sharing and offloading name only clusters that the topology declares. */
export const linksNameKnownClusters: TopologyRule = function* (topology) {
  const known = new Set(topology.names.map((it) => it.value));
  const uses = [
    ...topology.hubs,
    ...topology.clusters.flatMap((it) => it.hubs ?? []),
    ...topology.peerings.flatMap((it) => it.between),
    ...topology.shortcuts.flatMap((it) => it.between),
    ...topology.order,
    ...topology.assertions.flatMap((it) => [it.from, it.to]).flatMap(namedCluster),
    ...topology.serviceAssertions.flatMap((it) => [...namedCluster(it.from), ...(it.to.of ? [it.to.of] : [])]),
    ...topology.sharing.flatMap((it) => [it.consumer, it.provider]).flatMap(namedCluster),
    ...topology.acceptances.flatMap(({ where }) => clustersOf(where)),
    ...topology.offloading.flatMap((it) => [it.cluster, ...(it.to ?? []).flatMap(namedCluster)]),
  ];
  const names = [...known];
  const [meant, declared] = [meantHints(names), firstOf(names.toSorted(byCodeUnit), SHOWN)];
  for (const use of uses) {
    if (known.has(use.value)) continue;
    const hint = meant(use.value) ?? `declare "${use.value}" below \`clusters\`, or name one of: ${declared}`;
    yield diagnostic('topology/unknown-cluster', use.at, `no cluster is called "${use.value}"`, { hint });
  }
};

/** How many of the declared names the hint lists. */
const SHOWN = 8;

const namedCluster = (it: Selector): readonly Located<string>[] =>
  it.kind === 'cluster' ? [{ value: it.name, at: it.at }] : [];

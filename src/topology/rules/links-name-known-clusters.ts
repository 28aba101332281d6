import { byCodeUnit } from '../../core/order.ts';
import { firstOf } from '../../core/words.ts';
import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { meantHint } from '../../diagnostics/did-you-mean.ts';
import type { Located } from '../../source/located.ts';
import type { Selector } from '../declaration.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Hubs, links, the order and assertions name only clusters that the topology declares. */
export const linksNameKnownClusters: TopologyRule = function* (topology) {
  const names = topology.names.map((it) => it.value);
  const known = new Set(names);
  const uses = [
    ...topology.hubs,
    ...topology.clusters.flatMap((it) => it.hubs ?? []),
    ...topology.peerings.flatMap((it) => it.between),
    ...topology.shortcuts.flatMap((it) => it.between),
    ...topology.order,
    ...topology.assertions.flatMap((it) => [it.from, it.to]).flatMap(namedCluster),
  ];
  for (const use of uses) if (!known.has(use.value)) yield unknownCluster(use, names);
};

/** How many of the declared names the hint lists. */
const SHOWN = 8;

const namedCluster = (it: Selector): readonly Located<string>[] =>
  it.kind === 'cluster' ? [{ value: it.name, at: it.at }] : [];

function unknownCluster({ value, at }: Located<string>, names: readonly string[]): Diagnostic {
  return diagnostic('topology/unknown-cluster', at, `no cluster is called "${value}"`, {
    hint:
      meantHint(value, names) ??
      `declare "${value}" below \`clusters\`, or name one of: ${firstOf([...names].sort(byCodeUnit), SHOWN)}`,
  });
}

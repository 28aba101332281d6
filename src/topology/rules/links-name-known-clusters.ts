import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { meantHint } from '../../diagnostics/did-you-mean.ts';
import type { Located } from '../../source/located.ts';
import type { Selector } from '../declaration.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Hubs, links, the order and assertions can only name clusters that the topology declares. */
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

const namedCluster = (it: Selector): readonly Located<string>[] =>
  it.kind === 'cluster' ? [{ value: it.name, at: it.at }] : [];

export function unknownCluster({ value, at }: Located<string>, names: readonly string[]): Diagnostic {
  return diagnostic('topology/unknown-cluster', at, `no cluster is called "${value}"`, {
    hint: meantHint(value, names) ?? `declare "${value}" below \`clusters\`, or name one of: ${listed(names)}`,
  });
}

/** The first few names, and how many more there are. */
function listed(names: readonly string[]): string {
  const shown = [...names].sort((a, b) => (a < b ? -1 : 1)).slice(0, 8);
  return names.length > shown.length ? `${shown.join(', ')} and ${names.length - shown.length} more` : shown.join(', ');
}

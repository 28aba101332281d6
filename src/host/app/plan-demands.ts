import { checkTopology } from '../../fleet/topology/check-topology.ts';
import type { Assertion, Declaration, ServiceAssertion } from '../../fleet/topology/declaration.ts';
import type { TopologyDocument } from '../../fleet/topology/parse-topology.ts';
import { clustersWithLabels, type Selector } from '../../fleet/topology/selector.ts';
import type { Demand, Demands } from '../../plan/demand.ts';

/**
 * The demands of the topology of a base, and those of the present topology.
 *
 * @param baseline the topology of the base; `null` when it is missing or cannot be read
 * @param isFirst true when the base has no bundles either: then there were no demands
 */
export function planDemands(baseline: TopologyDocument | null, isFirst: boolean, now: Declaration): Demands {
  const declared = baseline && checkTopology(baseline);
  return {
    before: declared?.ok ? demandsOf(declared.value) : isFirst ? [] : null,
    after: demandsOf(now),
  };
}

type Clusters = ReadonlyMap<string, Declaration['clusters'][number]>;

export function demandsOf({ assertions, serviceAssertions, clusters: all }: Declaration): readonly Demand[] {
  const clusters = new Map(all.map((it) => [it.name, it]));
  return [
    ...assertions.map((it) => demandOf(it, clusters, demandEnd(it.to, clusters))),
    ...serviceAssertions.map((it) => demandOf(it, clusters, serviceEnd(it))),
  ];
}

interface End {
  readonly text: string;
  readonly named: readonly string[];
  readonly applies: readonly string[];
}

function demandOf(
  { from, expect, via }: Pick<Assertion, 'from' | 'expect' | 'via'>,
  clusters: Clusters,
  to: End,
): Demand {
  const sender = demandEnd(from, clusters);
  return {
    from: sender.text,
    to: to.text,
    expect,
    via,
    named: [...sender.named, ...to.named],
    applies: [sender.applies, to.applies],
  };
}

function demandEnd(selector: Selector, clusters: Clusters): End {
  if (selector.kind === 'cluster') return { text: selector.name, named: [selector.name], applies: [selector.name] };
  const labels = Object.entries(selector.labels).map(([key, value]) => `${key}=${value}`);
  return {
    text: labels.sort().join(', ') || '*',
    named: [],
    applies: clustersWithLabels(clusters, selector.labels).map((it) => it.name),
  };
}

function serviceEnd({ to: { namespace, service, of } }: ServiceAssertion): End {
  const name = `${namespace}/${service}`;
  return of === null
    ? { text: name, named: [], applies: [] }
    : { text: `${name} of ${of.value}`, named: [of.value], applies: [] };
}

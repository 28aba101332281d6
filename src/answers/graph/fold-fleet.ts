import { groupBy } from '../../base/core/group-by.ts';
import { sortedUnique } from '../../base/core/order.ts';
import { countBoxes } from './count-boxes.ts';
import type { ClusterFacts, FleetFacts } from './fleet-facts.ts';
import type { FleetGraph, GraphNode } from './fleet-graph.ts';
import { FOLDS, type Fold } from './folds.ts';
import { type FleetIndex, indexFleet } from './index-fleet.ts';
import { joinLinks } from './join-links.ts';
import { clusterNode, crowdNode } from './nodes-of.ts';
import { summaryOf } from './words-of-graph.ts';

interface FoldSettings {
  readonly title: string;
  /** Boxes that fit: clusters one by one, or crowds of them. */
  readonly most: number;
}

/** More lines than these nobody can follow. GitHub would draw up to 500. */
const MOST_EDGES = 80;

/** Up to this number of boxes there is room for addresses beside the edges. */
const MOST_WITH_ADDRESSES = 20;

/** A picture of a fleet that is small enough: the first way to fold it that gives one, or the last. */
export function foldFleet(facts: FleetFacts, { title, most }: FoldSettings): FleetGraph {
  const fleet = indexFleet(facts);
  const [first, ...others] = FOLDS;
  let graph = drawn(fleet, crowdsBy(first, fleet), title);
  for (const it of others) {
    if (countBoxes(graph) <= most && graph.edges.length <= MOST_EDGES) break;
    graph = drawn(fleet, crowdsBy(it, fleet), title);
  }
  return graph;
}

interface Crowds {
  readonly members: readonly (readonly ClusterFacts[])[];
  readonly alone: readonly ClusterFacts[];
  readonly hasCards: boolean;
}

function crowdsBy({ keyOf, fewest, hasCards }: Fold, fleet: FleetIndex): Crowds {
  const byKey = groupBy(fleet.clusters, (it) => [keyOf(it, fleet) ?? '']);
  const members = [...byKey].flatMap(([key, all]) => (key !== '' && all.length >= fewest ? [all] : []));
  const inCrowds = new Set(members.flat());
  return { members, alone: fleet.clusters.filter((it) => !inCrowds.has(it)), hasCards };
}

function drawn(fleet: FleetIndex, { members, alone, hasCards }: Crowds, title: string): FleetGraph {
  const crowds = members.map((all, i) => ({ id: `crowd ${i + 1}`, all }));
  const idOf = new Map(crowds.flatMap(({ id, all }) => all.map((it) => [it.name, id] as const)));
  const nodes: readonly GraphNode[] = [
    ...alone.map((it) => clusterNode(it, fleet, { isCard: false })),
    ...crowds.map(({ id, all }) => crowdNode(fleet, { id, all, hasCards })),
  ];
  return {
    title,
    summary: summaryOf(fleet, fleet.releases),
    groups: sortedUnique(nodes.flatMap((it) => (it.group === null ? [] : [it.group]))),
    nodes: [...nodes.filter((it) => it.isHub), ...nodes.filter((it) => !it.isHub)],
    edges: joinLinks(fleet.links, {
      idOf: (name) => idOf.get(name) ?? name,
      withAddresses: countBoxes({ nodes }) <= MOST_WITH_ADDRESSES,
    }),
  };
}

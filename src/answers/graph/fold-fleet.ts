import { groupBy, inOrder, sortedUnique } from '../../base/core/collections.ts';
import {
  type ClusterFacts,
  type FleetFacts,
  type FleetIndex,
  indexFleet,
  isRemapped,
  type LinkFacts,
} from './fleet-facts.ts';
import {
  type ClusterNode,
  type CrowdNode,
  countBoxes,
  type FleetGraph,
  type GraphEdge,
  type GraphNode,
} from './fleet-graph.ts';
import { clusterLines, crowdLines, crowdTitle, edgeLines, remapLines, summaryOf } from './words-of-graph.ts';

interface FoldSettings {
  readonly title: string;
  /** The largest number of boxes: single clusters or crowds. */
  readonly most: number;
}

/** The largest number of edges that a reader can follow. GitHub would draw up to 500. */
const MOST_EDGES = 80;

/** The number of boxes up to which there is room for addresses beside the edges. */
const MOST_WITH_ADDRESSES = 20;

/** Draws a fleet with the first fold that makes the picture small enough, otherwise with the last one. */
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

/** A method to draw several clusters as one node. */
interface Fold {
  /** Clusters with an equal key are drawn together; one with `null` is drawn alone. */
  readonly keyOf: (cluster: ClusterFacts, fleet: FleetIndex) => string | null;
  /** Smaller groups are drawn as single clusters. */
  readonly fewest: number;
  /** True when each cluster of a crowd has a card. */
  readonly hasCards: boolean;
}

/** The folds from the most detailed picture to the least detailed one. */
const FOLDS: readonly [Fold, ...(readonly Fold[])] = [
  // Groups spokes whose only links are those to their hubs: one edge to all of them is as informative as an edge to
  // each.
  { keyOf: (it, fleet) => (isPlain(it, fleet) ? keyOfPlain(it, fleet) : null), fewest: 4, hasCards: true },
  {
    keyOf: ({ name, group, mark }, fleet) =>
      fleet.isHub(name) ? null : JSON.stringify([group, mark, fleet.hubsOf(name)]),
    fewest: 2,
    hasCards: false,
  },
  {
    keyOf: ({ name, group, mark }, fleet) => JSON.stringify([group, mark, fleet.isHub(name)]),
    fewest: 2,
    hasCards: false,
  },
  { keyOf: ({ name, mark }, fleet) => JSON.stringify([mark, fleet.isHub(name)]), fewest: 2, hasCards: false },
];

const isPlain = ({ name }: ClusterFacts, fleet: FleetIndex): boolean =>
  !fleet.isHub(name) && fleet.linksOf(name).length > 0 && fleet.linksOf(name).every((it) => it.kind === 'hub');

const keyOfPlain = ({ name, group, mark, breaks }: ClusterFacts, fleet: FleetIndex): string =>
  JSON.stringify([group, mark, breaks, fleet.linksOf(name).map((it) => [it.hub, it.mark, it.breaks])]);

interface CardSettings {
  /** True for a cluster without a separate edge that shows how its neighbours see it. */
  readonly isCard: boolean;
}

function clusterNode(cluster: ClusterFacts, fleet: FleetIndex, { isCard }: CardSettings): ClusterNode {
  const { name, group, mark } = cluster;
  const isHub = fleet.isHub(name);
  const remaps = isCard ? fleet.linksOf(name).flatMap((it) => it.remaps) : [];
  return {
    kind: 'cluster',
    id: name,
    group,
    isHub,
    isRemapped: isRemapped({ remaps }),
    mark,
    title: name,
    lines: [
      ...clusterLines(cluster, { isHub, withRelease: fleet.releases.length > 1 }),
      ...remapLines(remaps, { withAddresses: true, self: name }),
    ],
  };
}

interface Crowd {
  readonly id: string;
  /** The clusters of the crowd; never empty. */
  readonly all: readonly ClusterFacts[];
  readonly hasCards: boolean;
}

function crowdNode(fleet: FleetIndex, { id, all, hasCards }: Crowd): CrowdNode {
  const names = new Set(all.map((it) => it.name));
  const links = [...new Set(all.flatMap((it) => fleet.linksOf(it.name)))];
  const inside = links.filter((it) => names.has(it.server) && names.has(it.client));
  const remapped = all.filter((it) => fleet.linksOf(it.name).some(isRemapped)).length;
  const isHub = all.every((it) => fleet.isHub(it.name));
  const mark = commonValue(all.map((it) => it.mark));
  return {
    kind: 'crowd',
    id,
    group: commonValue(all.map((it) => it.group)),
    isHub,
    isRemapped: remapped > 0,
    mark,
    title: crowdTitle(all.length, roleOf(all, fleet, isHub), mark),
    lines: crowdLines({ members: all, inside, remapped, withRelease: !hasCards && fleet.releases.length > 1 }),
    cards: hasCards ? all.map((it) => clusterNode(it, fleet, { isCard: true })) : [],
  };
}

function roleOf(all: readonly ClusterFacts[], fleet: FleetIndex, isHub: boolean) {
  const hubs = all.map((it) => fleet.hubsOf(it.name));
  const same = commonValue(hubs.map((it) => JSON.stringify(it))) === null ? [] : (hubs[0] ?? []);
  const kind = isHub ? 'hub' : hubs.every((it) => it.length > 0) ? 'spoke' : 'cluster';
  return { kind, hubs: same } as const;
}

/** The common value; `null` when the values differ. */
const commonValue = <T>(values: readonly (T | null)[]): T | null => {
  const [first = null] = values;
  return values.every((it) => it === first) ? first : null;
};

interface JoinSettings {
  /** The node in which a cluster is drawn. */
  readonly idOf: (cluster: string) => string;
  /** True when edges show the addresses of remaps. */
  readonly withAddresses: boolean;
}

/** Joins all links of a kind between two nodes that have the same mark into one edge. Links inside a node have none. */
function joinLinks(links: readonly LinkFacts[], { idOf, withAddresses }: JoinSettings): readonly GraphEdge[] {
  const drawn = links.filter((it) => idOf(it.server) !== idOf(it.client));
  const joined = groupBy(drawn, (it) => {
    const ends = inOrder(idOf(it.server), idOf(it.client));
    return [JSON.stringify([...ends, it.kind, it.mark, it.hub === null ? null : idOf(it.hub)])];
  });
  return [...joined.values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : [edgeOf(first, all, { idOf, withAddresses })];
  });
}

function edgeOf(first: LinkFacts, all: readonly LinkFacts[], { idOf, withAddresses }: JoinSettings): GraphEdge {
  return {
    from: idOf(first.client),
    to: idOf(first.server),
    isMutual: all.some((it) => idOf(it.client) !== idOf(first.client)),
    kind: first.kind,
    hub: first.hub === null ? null : idOf(first.hub),
    lines: edgeLines(all, first.mark, withAddresses),
    isRemapped: all.some(isRemapped),
    mark: first.mark,
  };
}

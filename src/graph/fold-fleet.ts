import { groupBy } from '../core/group-by.ts';
import { sortedUnique } from '../core/order.ts';
import type { ClusterFacts, FleetFacts } from './fleet-facts.ts';
import type { ClusterNode, CrowdNode, FleetGraph, GraphNode } from './fleet-graph.ts';
import { FOLDS, type Fold } from './folds.ts';
import { type FleetIndex, indexFleet } from './index-fleet.ts';
import { joinLinks } from './join-links.ts';
import { clusterLines, crowdLines, crowdTitle, remapLines, summaryOf } from './words-of-graph.ts';

interface FoldSettings {
  readonly title: string;
  /** Boxes that fit: clusters one by one, or crowds of them. */
  readonly most: number;
}

/** A picture of a fleet that is small enough: the first way to fold it that gives one, or the last. */
export function foldFleet(facts: FleetFacts, { title, most }: FoldSettings): FleetGraph {
  const fleet = indexFleet(facts);
  const [first, ...others] = FOLDS;
  let crowds = crowdsBy(first, fleet);
  for (const it of others) {
    if (crowds.boxes <= most) break;
    crowds = crowdsBy(it, fleet);
  }
  return drawn(fleet, crowds, title);
}

interface Crowds {
  readonly members: readonly (readonly ClusterFacts[])[];
  readonly alone: readonly ClusterFacts[];
  readonly hasCards: boolean;
  /** How many boxes a picture of them has. */
  readonly boxes: number;
}

function crowdsBy({ keyOf, fewest, hasCards }: Fold, fleet: FleetIndex): Crowds {
  const keys = new Map(fleet.clusters.map((it) => [it, keyOf(it, fleet)]));
  const byKey = groupBy(fleet.clusters, (it) => [keys.get(it) ?? '']);
  const members = [...byKey].flatMap(([key, all]) => (key !== '' && all.length >= fewest ? [all] : []));
  const inCrowds = new Set(members.flat());
  const alone = fleet.clusters.filter((it) => !inCrowds.has(it));
  return { members, alone, hasCards, boxes: alone.length + (hasCards ? inCrowds.size : members.length) };
}

/** Up to this number of boxes there is room for addresses beside the edges. */
const MOST_WITH_ADDRESSES = 20;

function drawn(fleet: FleetIndex, { members, alone, hasCards, boxes }: Crowds, title: string): FleetGraph {
  const crowds = members.map((all, i) => ({ id: `crowd ${i + 1}`, all }));
  const idOf = new Map(crowds.flatMap(({ id, all }) => all.map((it) => [it.name, id] as const)));
  const nodes: readonly GraphNode[] = [
    ...alone.map((it) => clusterNode(it, fleet, false)),
    ...crowds.map(({ id, all }) => crowdNode(fleet, { id, all, hasCards })),
  ];
  const hubsFirst = [...nodes.filter((it) => it.isHub), ...nodes.filter((it) => !it.isHub)];
  return {
    title,
    summary: summaryOf(fleet, fleet.releases),
    groups: sortedUnique(nodes.flatMap((it) => (it.group === null ? [] : [it.group]))),
    nodes: hubsFirst,
    edges: joinLinks(fleet.links, {
      idOf: (name) => idOf.get(name) ?? name,
      withAddresses: boxes <= MOST_WITH_ADDRESSES,
    }),
  };
}

/** @param isCard whether no edge of its own tells how its neighbours see it */
function clusterNode(cluster: ClusterFacts, fleet: FleetIndex, isCard: boolean): ClusterNode {
  const { name, group, mark } = cluster;
  const isHub = fleet.isHub(name);
  const remaps = isCard ? fleet.linksOf(name).flatMap((it) => it.remaps) : [];
  return {
    kind: 'cluster',
    id: name,
    group,
    isHub,
    isRemapped: remaps.length > 0,
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
  /** Never empty. */
  readonly all: readonly ClusterFacts[];
  readonly hasCards: boolean;
}

function crowdNode(fleet: FleetIndex, { id, all, hasCards }: Crowd): CrowdNode {
  const names = new Set(all.map((it) => it.name));
  const links = [...new Set(all.flatMap((it) => fleet.linksOf(it.name)))];
  const inside = links.filter((it) => names.has(it.server) && names.has(it.client));
  const remapped = all.filter((it) => fleet.linksOf(it.name).some((link) => link.remaps.length > 0)).length;
  const isHub = all.every((it) => fleet.isHub(it.name));
  const mark = sameOf(all.map((it) => it.mark));
  return {
    kind: 'crowd',
    id,
    group: sameOf(all.map((it) => it.group)),
    isHub,
    isRemapped: remapped > 0,
    mark,
    title: crowdTitle(all.length, roleOf(all, fleet, isHub), mark),
    lines: crowdLines({ members: all, inside, remapped, withRelease: !hasCards && fleet.releases.length > 1 }),
    cards: hasCards ? all.map((it) => clusterNode(it, fleet, true)) : [],
  };
}

function roleOf(all: readonly ClusterFacts[], fleet: FleetIndex, isHub: boolean) {
  const hubs = all.map((it) => fleet.hubsOf(it.name));
  const same = sameOf(hubs.map((it) => JSON.stringify(it))) === null ? [] : (hubs[0] ?? []);
  const kind = isHub ? 'hub' : hubs.every((it) => it.length > 0) ? 'spoke' : 'cluster';
  return { kind, hubs: same } as const;
}

/** What all have; `null` where they differ. */
const sameOf = <T>(values: readonly (T | null)[]): T | null => {
  const [first = null] = values;
  return values.every((it) => it === first) ? first : null;
};

import type { ClusterFacts } from './fleet-facts.ts';
import type { ClusterNode, CrowdNode } from './fleet-graph.ts';
import type { FleetIndex } from './index-fleet.ts';
import { isRemapped } from './is-remapped.ts';
import { clusterLines, crowdLines, crowdTitle, remapLines } from './words-of-graph.ts';

interface CardSettings {
  /** Whether no edge of its own tells how its neighbours see it. */
  readonly isCard: boolean;
}

export function clusterNode(cluster: ClusterFacts, fleet: FleetIndex, { isCard }: CardSettings): ClusterNode {
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
  /** Never empty. */
  readonly all: readonly ClusterFacts[];
  readonly hasCards: boolean;
}

export function crowdNode(fleet: FleetIndex, { id, all, hasCards }: Crowd): CrowdNode {
  const names = new Set(all.map((it) => it.name));
  const links = [...new Set(all.flatMap((it) => fleet.linksOf(it.name)))];
  const inside = links.filter((it) => names.has(it.server) && names.has(it.client));
  const remapped = all.filter((it) => fleet.linksOf(it.name).some(isRemapped)).length;
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
    cards: hasCards ? all.map((it) => clusterNode(it, fleet, { isCard: true })) : [],
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

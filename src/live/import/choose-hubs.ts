import { byCodeUnit, groupBy, sortedUnique } from '../../base/core/collections.ts';

/** A link, as input for the choice of hubs. */
interface Edge {
  readonly server: string;
  readonly client: string;
}

/** The hubs of each spoke, sorted. Clusters without a hub are left out. */
export type HubsOf = ReadonlyMap<string, readonly string[]>;

/**
 * Chooses the hubs that describe the links with the fewest entries. A hub serves its spokes, or has more links than
 * they have; a link of two spokes of one hub is a shortcut, so a cluster with shortcuts only is no hub.
 */
export function chooseHubs(edges: readonly Edge[]): HubsOf {
  const graph = new Graph(edges);
  const byService = hubsAmong(graph, (it) => graph.served(it) * graph.size + graph.degree(it));
  const byDegree = hubsAmong(graph, (it) => graph.degree(it) * graph.size + graph.served(it));
  return costOf(graph, byDegree) < costOf(graph, byService) ? byDegree : byService;
}

/** The fewest clusters whose links are a mesh: of three, a hub with a shortcut is the shorter description. */
const SMALLEST_MESH = 4;

/** The links without those of clusters that are linked with each other and with no other cluster: none is a hub. */
export function withoutMeshes(edges: readonly Edge[]): readonly Edge[] {
  const graph = new Graph(edges);
  const circleOf = (cluster: string): string =>
    sortedUnique(graph.edgesOf(cluster).flatMap((it) => [it.server, it.client])).join(' ');
  const circles = groupBy(graph.clusters, (it) => [circleOf(it)]);
  const inMesh = new Set(
    [...circles].flatMap(([circle, members]) =>
      members.length >= SMALLEST_MESH && members.join(' ') === circle ? members : [],
    ),
  );
  return edges.filter((it) => !inMesh.has(it.server));
}

class Graph {
  readonly #edges: readonly Edge[];
  readonly #byCluster: ReadonlyMap<string, readonly Edge[]>;

  constructor(edges: readonly Edge[]) {
    this.#edges = edges;
    this.#byCluster = groupBy(edges, (it) => [it.server, it.client]);
  }

  get edges(): readonly Edge[] {
    return this.#edges;
  }

  get clusters(): readonly string[] {
    return [...this.#byCluster.keys()].sort(byCodeUnit);
  }

  get size(): number {
    return this.#byCluster.size + 1;
  }

  edgesOf(cluster: string): readonly Edge[] {
    return this.#byCluster.get(cluster) ?? [];
  }

  degree(cluster: string): number {
    return this.edgesOf(cluster).length;
  }

  served(cluster: string): number {
    return this.edgesOf(cluster).filter((it) => it.server === cluster).length;
  }

  /** The possible spokes of a cluster: those that it serves, and those with fewer links. */
  spokesOf(hub: string): readonly string[] {
    return this.edgesOf(hub)
      .filter((it) => it.server === hub || this.degree(it.server) < this.degree(hub))
      .map((it) => (it.server === hub ? it.client : it.server));
  }
}

function hubsAmong(graph: Graph, rankOf: (cluster: string) => number): HubsOf {
  const ranks = new Map(graph.clusters.map((it) => [it, rankOf(it)]));
  const candidates = graph.clusters
    .filter((it) => graph.spokesOf(it).length > 1)
    .sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0) || byCodeUnit(a, b));
  const hubsOf = new Map<string, Set<string>>();
  const hubs = new Set<string>();
  const isShortcut = (a: string, b: string): boolean => [...(hubsOf.get(a) ?? [])].some((it) => hubsOf.get(b)?.has(it));
  for (const hub of candidates) {
    // A spoke that is a hub itself is in a lower tier, and only if this hub serves it.
    const spokes = graph.spokesOf(hub).filter((it) => !hubsOf.get(hub)?.has(it));
    const own = spokes.filter((it) => !isShortcut(hub, it));
    if (own.length < 2) continue;
    hubs.add(hub);
    for (const it of own) hubsOf.set(it, (hubsOf.get(it) ?? new Set()).add(hub));
  }
  return new Map([...hubsOf].map(([spoke, of]) => [spoke, [...of].sort(byCodeUnit)]));
}

/** The number of lines that a topology needs for these hubs: entries of links, and clusters with their own hubs. */
function costOf(graph: Graph, hubsOf: HubsOf): number {
  const isHubLink = ({ server, client }: Edge): boolean =>
    hubsOf.get(client)?.includes(server) === true || hubsOf.get(server)?.includes(client) === true;
  // A hub that is served by its spoke needs an entry for this.
  const entries = graph.edges.filter((it) => !isHubLink(it) || hubsOf.get(it.server)?.includes(it.client) === true);
  const fleetHubs = fleetHubsOf(graph.clusters, hubsOf);
  return entries.length + ownHubs(graph.clusters, hubsOf, fleetHubs).size;
}

/** Returns the hubs that most clusters have, which the topology names once; none if this needs more exceptions. */
export function fleetHubsOf(clusters: readonly string[], hubsOf: HubsOf): readonly string[] {
  const counts = new Map<string, { readonly hubs: readonly string[]; count: number }>();
  for (const hubs of hubsOf.values()) {
    const key = hubs.join(' ');
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { hubs, count: 1 });
    else known.count++;
  }
  const [most] = [...counts.values()].sort((a, b) => b.count - a.count);
  if (most === undefined) return [];
  const exceptions = ownHubs(clusters, hubsOf, most.hubs).size;
  return exceptions <= ownHubs(clusters, hubsOf, []).size ? most.hubs : [];
}

/** The clusters whose hubs are not those of the fleet, with an empty list for a cluster without hubs. */
export function ownHubs(clusters: readonly string[], hubsOf: HubsOf, fleetHubs: readonly string[]): HubsOf {
  const own = new Map<string, readonly string[]>();
  for (const it of clusters) {
    const inherited = fleetHubs.includes(it) ? [] : fleetHubs;
    const hubs = hubsOf.get(it) ?? [];
    if (hubs.join(' ') !== inherited.join(' ')) own.set(it, hubs);
  }
  return own;
}

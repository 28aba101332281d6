import { groupBy, inOrder, sortedUnique } from '../../base/core/collections.ts';
import { countOf, listOf, someOf } from '../../base/core/words.ts';
import {
  type ClusterFacts,
  type FleetFacts,
  type FleetIndex,
  indexFleet,
  isRemapped,
  type LinkFacts,
  type Mark,
  type Remap,
  type ShareFacts,
} from './fleet-facts.ts';
import {
  type ClusterNode,
  type CrowdNode,
  countBoxes,
  type FleetGraph,
  type GraphEdge,
  type GraphNode,
} from './fleet-graph.ts';

interface FoldSettings {
  readonly title: string;
  /** The largest number of boxes: single clusters or crowds. */
  readonly most: number;
}

/** The largest number of edges that a reader can follow. GitHub would draw up to 500. */
const MOST_EDGES = 80;

/** The number of boxes up to which there is room for addresses beside the edges. */
const MOST_WITH_ADDRESSES = 20;

/** The largest number of boxes that a reader can still look at one by one. */
export const MOST_BOXES = 60;

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
    isRemapped: isRemapped({ remaps }) || (cluster.seen?.isRemapped ?? false),
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
    lines: crowdLines({
      members: all,
      inside,
      remapped,
      withRelease: !hasCards && fleet.releases.length > 1,
      hasCards,
    }),
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

/** The number of networks named in one line. */
const NETWORKS = 2;

/** The lines below the name of a cluster. */
function clusterLines(
  { podCIDRs, release, mark, formerName, breaks, shares, seen }: ClusterFacts,
  { isHub, withRelease }: { readonly isHub: boolean; readonly withRelease: boolean },
): readonly string[] {
  return [
    ...(formerName !== null
      ? [`renamed from ${formerName}`]
      : mark === null
        ? []
        : [mark === 'off' ? mark : `${mark} cluster`]),
    ...(isHub ? ['hub'] : []),
    ...(seen ? seen.lines : podCIDRs.length === 0 ? [] : [`pods ${someOf(podCIDRs, NETWORKS)}`]),
    ...(withRelease && release !== null ? [`Liqo ${release}`] : []),
    ...(breaks ? [BREAKS] : []),
    ...(shares && !seen ? shareLines(shares) : []),
  ];
}

/** The number of clusters or namespaces named in one line. */
const NAMED_SHARES = 3;

function shareLines({ borrowsFrom, lendsTo, offloads }: ShareFacts): readonly string[] {
  const line = (what: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${what} ${someOf(names, NAMED_SHARES)}`];
  return [...line('borrows from', borrowsFrom), ...line('lends to', lendsTo), ...line('offloads', offloads)];
}

/** The number of hubs named in the title of a crowd. */
const NAMED_HUBS = 3;

const BREAKS = 'breaks live flows';

/** The lines at an edge; empty for ordinary hub links. Common properties of a crowd are shown in the crowd. */
function edgeLines(links: readonly LinkFacts[], mark: Mark | null, withAddresses: boolean): readonly string[] {
  const [first, ...others] = links;
  if (first === undefined) return [];
  const name = KINDS[first.kind];
  const what = others.length === 0 ? name : countOf(links.length, name);
  return [
    ...(mark === 'off'
      ? [`${what} ${others.length === 0 ? 'is' : 'are'} off`]
      : mark !== null
        ? [`${mark} ${what}`]
        : first.kind === 'hub'
          ? []
          : [what]),
    ...(links.some((it) => it.breaks) ? [BREAKS] : []),
    ...closedLines(links),
    ...(others.length === 0 ? remapLines(first.remaps, { withAddresses }) : []),
  ];
}

/** `closed` for links that are closed in both directions, and the receivers of others. */
function closedLines(links: readonly LinkFacts[]): readonly string[] {
  const closed = links.filter((it) => it.closedTowards !== undefined);
  const [first] = closed;
  if (first === undefined) return [];
  if (links.length > 1) return [closed.length === links.length ? 'closed' : `${closed.length} closed`];
  const ends = first.closedTowards ?? [];
  return [ends.length > 1 ? 'closed' : `closed towards ${listOf(ends)}`];
}

const KINDS: Readonly<Record<LinkFacts['kind'], string>> = {
  hub: 'hub link',
  peering: 'peering',
  shortcut: 'shortcut',
};

interface RemapLook {
  /** False to name only the clusters that see others remapped. */
  readonly withAddresses: boolean;
  /** The cluster in whose box the lines are written. */
  readonly self?: string;
}

/** Words for remaps: `milan is 10.81.0.0/16 in rome`. External CIDRs, which users do not dial by hand, share a line. */
function remapLines(remaps: readonly Remap[], { withAddresses, self }: RemapLook): readonly string[] {
  const where = (name: string): string => (name === self ? 'here' : `in ${name}`);
  if (remaps.length === 0) return [];
  if (!withAddresses) return withoutAddresses(remaps, where);
  const pods = remaps.filter((it) => it.kind === 'pod');
  const external = remaps.filter((it) => it.kind === 'external');
  const several = new Set(
    [...groupBy(pods, (it) => [`${it.of} ${it.seenIn}`])].flatMap(([pair, all]) => (all.length > 1 ? [pair] : [])),
  );
  const what = ({ of, seenIn, cidr }: Remap): string => {
    if (several.has(`${of} ${seenIn}`)) return of === self ? `${cidr} is ` : `${of}'s ${cidr} is `;
    return of === self ? '' : `${of} is `;
  };
  const was = (it: Remap): string => (it.was === null ? '' : `, was ${it.was}`);
  return [
    ...pods.map((it) => `${what(it)}${it.seenAs} ${where(it.seenIn)}${was(it)}`),
    ...(external.length === 0 ? [] : [`external CIDR remapped ${listOf(external.map((it) => where(it.seenIn)))}`]),
  ];
}

function shareCounts(members: readonly ClusterFacts[]): readonly string[] {
  const count = (has: (shares: ShareFacts) => number): number =>
    members.filter(({ shares }) => shares && has(shares) > 0).length;
  const [borrow, lend] = [count((it) => it.borrowsFrom.length), count((it) => it.lendsTo.length)];
  return [...(borrow > 0 ? [countOf(borrow, 'borrower')] : []), ...(lend > 0 ? [countOf(lend, 'lender')] : [])];
}

function withoutAddresses(remaps: readonly Remap[], where: (cluster: string) => string): readonly string[] {
  const line = (word: string, all: readonly Remap[]): readonly string[] =>
    all.length === 0 ? [] : [`${word} ${listOf([...new Set(all.map((it) => where(it.seenIn)))])}`];
  const moved = remaps.filter((it) => it.was !== null);
  return [
    ...line(
      'remapped',
      remaps.filter((it) => it.was === null),
    ),
    ...line('moved', moved),
  ];
}

/** The title of a crowd, with the change by a plan: `22 spokes of europe`. */
function crowdTitle(count: number, role: CrowdRole, mark: Mark | null): string {
  const noun = countOf(count, role.kind);
  const marked = mark === null ? noun : mark === 'off' ? `${noun} that failed` : noun.replace(' ', ` ${mark} `);
  if (role.hubs.length === 0) return marked;
  return `${marked} of ${role.hubs.length > NAMED_HUBS ? countOf(role.hubs.length, 'hub') : listOf(role.hubs)}`;
}

interface CrowdRole {
  readonly kind: 'cluster' | 'hub' | 'spoke';
  /** The common hubs of the clusters. */
  readonly hubs: readonly string[];
}

interface CrowdFacts {
  readonly members: readonly ClusterFacts[];
  /** The number of members that a peer sees remapped, or that see a peer remapped. */
  readonly remapped: number;
  /** The links between two members. */
  readonly inside: readonly LinkFacts[];
  /** True when the members have no cards that show their releases. */
  readonly withRelease: boolean;
  /** True when cards show what each member lends and borrows. */
  readonly hasCards: boolean;
}

/** The lines that describe a crowd as a whole. */
function crowdLines({ members, remapped, inside, withRelease, hasCards }: CrowdFacts): readonly string[] {
  const releases = [...groupBy(members, (it) => (it.release === null ? [] : [it.release]))];
  const kinds = [...groupBy(inside, (it) => [it.kind])];
  return [
    ...(withRelease ? releases.map(([release, all]) => `${all.length} with Liqo ${release}`) : []),
    ...(remapped > 0 ? [`${remapped} remapped`] : []),
    ...(hasCards ? [] : shareCounts(members)),
    ...kinds.map(([kind, all]) => `${countOf(all.length, KINDS[kind])} among them`),
    ...(members.some((it) => it.breaks) || inside.some((it) => it.breaks) ? [BREAKS] : []),
  ];
}

/** The summary of a picture: `3 clusters, 3 links, Liqo 1.2.0`. A plan may affect no cluster. */
function summaryOf(
  { clusters, links }: { readonly clusters: readonly ClusterFacts[]; readonly links: readonly LinkFacts[] },
  releases: readonly string[],
): string {
  if (clusters.length === 0) return 'nothing to draw';
  const remapped = links.filter(isRemapped).length;
  return [
    countOf(clusters.length, 'cluster'),
    countOf(links.length, 'link') + (remapped > 0 ? ` (${remapped} remapped)` : ''),
    ...(releases.length === 0 ? [] : [`Liqo ${listOf(releases)}`]),
  ].join(', ');
}

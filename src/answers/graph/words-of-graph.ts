import { groupBy } from '../../base/core/collections.ts';
import { countOf, listOf, someOf } from '../../base/core/words.ts';
import { type ClusterFacts, isRemapped, type LinkFacts, type Mark, type Remap } from './fleet-facts.ts';

/** The number of networks named in one line. */
const NETWORKS = 2;

/** The lines below the name of a cluster. */
export function clusterLines(
  { podCIDRs, release, mark, formerName, breaks }: ClusterFacts,
  { isHub, withRelease }: { readonly isHub: boolean; readonly withRelease: boolean },
): readonly string[] {
  return [
    ...(formerName !== null ? [`renamed from ${formerName}`] : mark !== null ? [`${mark} cluster`] : []),
    ...(isHub ? ['hub'] : []),
    ...(podCIDRs.length === 0 ? [] : [`pods ${someOf(podCIDRs, NETWORKS)}`]),
    ...(withRelease && release !== null ? [`Liqo ${release}`] : []),
    ...(breaks ? [BREAKS] : []),
  ];
}

/** The number of hubs named in the title of a crowd. */
const NAMED_HUBS = 3;

const BREAKS = 'breaks live flows';

/** The lines at an edge; empty for ordinary hub links. Common properties of a crowd are shown in the crowd. */
export function edgeLines(links: readonly LinkFacts[], mark: Mark | null, withAddresses: boolean): readonly string[] {
  const [first, ...others] = links;
  if (first === undefined) return [];
  const name = KINDS[first.kind];
  const what = others.length === 0 ? name : countOf(links.length, name);
  return [
    ...(mark !== null ? [`${mark} ${what}`] : first.kind === 'hub' ? [] : [what]),
    ...(links.some((it) => it.breaks) ? [BREAKS] : []),
    ...(others.length === 0 ? remapLines(first.remaps, { withAddresses }) : []),
  ];
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
export function remapLines(remaps: readonly Remap[], { withAddresses, self }: RemapLook): readonly string[] {
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
export function crowdTitle(count: number, role: CrowdRole, mark: Mark | null): string {
  const noun = countOf(count, role.kind);
  const marked = mark === null ? noun : noun.replace(' ', ` ${mark} `);
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
}

/** The lines that describe a crowd as a whole. */
export function crowdLines({ members, remapped, inside, withRelease }: CrowdFacts): readonly string[] {
  const releases = [...groupBy(members, (it) => (it.release === null ? [] : [it.release]))];
  const kinds = [...groupBy(inside, (it) => [it.kind])];
  return [
    ...(withRelease ? releases.map(([release, all]) => `${all.length} with Liqo ${release}`) : []),
    ...(remapped > 0 ? [`${remapped} remapped`] : []),
    ...kinds.map(([kind, all]) => `${countOf(all.length, KINDS[kind])} among them`),
    ...(members.some((it) => it.breaks) || inside.some((it) => it.breaks) ? [BREAKS] : []),
  ];
}

/** The summary of a picture: `3 clusters, 3 links, Liqo 1.2.0`. A plan may affect no cluster. */
export function summaryOf(
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

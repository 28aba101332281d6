import { groupBy } from '../../base/core/collections.ts';
import { countOf, quoted } from '../../base/core/words.ts';
import type { ClusterSpec, LinkEntry, Topology } from '../../base/schema-types/topology.ts';
import type { ObservedCluster } from '../facts/cluster.ts';
import type { LiveEnd, LiveLink } from '../facts/links.ts';
import { boundaryEntries, withoutRemoteNamespaces, withSelectors } from './boundary-entries.ts';
import type { ImportFinding } from './finding.ts';
import { type BoundaryState, type Way, wayInto } from './limited-ways.ts';
import type { SharedFleet } from './sharing/infer-sharing.ts';

/** Adds the boundaries of which weft wrote the fences and policies of these clusters. */
export function withBoundaries(fleet: SharedFleet, observed: readonly ObservedCluster[]): SharedFleet {
  const clusters = new Map(observed.map((it) => [it.cluster, it]));
  const into = (link: LiveLink, receiver: LiveEnd, sender: LiveEnd): Way =>
    wayInto(link.id, { receiver, sender, clusters, topology: fleet.topology });
  const ways = fleet.links.flatMap((it) => [into(it, ...it.ends), into(it, it.ends[1], it.ends[0])]);
  const closed = ways.filter((it) => it.states.length === 1 && it.states[0] === 'closed');
  const chosen = chooseBoundaries(fleet.topology, ways);
  const found = boundaryEntries(closed);
  const boundaries = withSelectors(withoutRemoteNamespaces(found.entries, chosen.topology), closed, chosen.topology);
  const topology = boundaries.length === 0 ? chosen.topology : { ...chosen.topology, boundaries: [...boundaries] };
  const unsaid = found.left.map((it): ImportFinding => notSaid(it.way, it.rules));
  return { ...fleet, topology, findings: [...fleet.findings, ...chosen.findings, ...unsaid] };
}

const notSaid = ({ from, to }: Way, rules: number): ImportFinding => ({
  code: 'import/not-expressible',
  cluster: to,
  message: `no entry of \`boundaries\` says ${countOf(rules, 'rule')} of fences and policies about connections from ${quoted(from)} to ${quoted(to)}`,
  hint: 'read what would change below, and decide before the bundle is applied: what no entry says is refused then',
});

interface Chosen {
  readonly topology: Topology;
  readonly findings: readonly ImportFinding[];
}

/**
 * Adds `boundary` to clusters and links, so that every direction has one of its states. The key of a link is about both
 * directions, so where these differ, or one has no value, it is the clusters' that decide.
 */
function chooseBoundaries(topology: Topology, ways: readonly Way[]): Chosen {
  const links = [...groupBy(ways, (it) => [it.link]).values()];
  const ofLinks = new Map(links.map((them) => [them[0]?.link ?? '', sharedStates(them)]));
  const statesFor = (some: readonly Way[]): ReadonlyMap<string, BoundaryState> =>
    new Map([...groupBy(some, (it) => [it.to])].map(([cluster, into]) => [cluster, stateOf(into, ofLinks)]));
  const usual = statesFor(ways);
  const entries = links.flatMap((them) => {
    const isRight = them.every((it) => it.states.includes(usual.get(it.to) ?? null));
    const [state] = ofLinks.get(them[0]?.link ?? '') ?? [];
    const [first] = them;
    if (isRight || state === undefined || first === undefined) return [];
    return [{ link: first.link, ends: [first.to, first.from] as const, boundary: state }];
  });
  const keyed = new Set(entries.map((it) => it.link));
  const others = ways.filter((it) => !keyed.has(it.link));
  const ofClusters = statesFor(others);
  const wrong = others.filter((it) => !it.states.includes(ofClusters.get(it.to) ?? null));
  const added = entries.reduce((so, { ends, boundary }) => withLinkKey(so, ends, boundary), topology);
  return { topology: withClusterKeys(added, ofClusters), findings: wrong.map(otherState) };
}

/** The values with which a key of the link leaves both directions as they are. */
const sharedStates = (both: readonly Way[]): readonly ('open' | 'closed')[] =>
  (['closed', 'open'] as const).filter((state) => both.every((it) => it.states.includes(state)));

/** The state that is right for every link without a key, and then for most of the others. */
function stateOf(into: readonly Way[], ofLinks: ReadonlyMap<string, readonly BoundaryState[]>): BoundaryState {
  const isNeeded = ({ link }: Way): boolean => (ofLinks.get(link) ?? []).length === 0;
  const rank = (state: BoundaryState): number =>
    into.filter((it) => it.states.includes(state)).reduce((sum, it) => sum + (isNeeded(it) ? into.length + 1 : 1), 0);
  const [first = null] = ([null, 'closed', 'open'] as const).toSorted((a, b) => rank(b) - rank(a));
  return first;
}

const otherState = ({ from, to }: Way): ImportFinding => ({
  code: 'import/not-expressible',
  cluster: to,
  message: `no value of \`boundary\` leaves all links of ${quoted(to)} and ${quoted(from)} as they are: what enters ${quoted(to)} from ${quoted(from)} would be limited otherwise`,
  hint: 'read what would change below, and decide before the bundle is applied',
});

function withClusterKeys(topology: Topology, states: ReadonlyMap<string, BoundaryState>): Topology {
  const specs = Object.entries(topology.clusters ?? {});
  const values = specs.map(([name]) => states.get(name) ?? null);
  // No cluster can take the key of `defaults` back.
  const usual = specs.length > 1 && !values.includes(null) ? mostOf(values) : null;
  const clusters = specs.map(([name, spec], index): readonly [string, ClusterSpec] => {
    const boundary = values[index] ?? null;
    return [name, boundary === null || boundary === usual ? spec : { ...spec, boundary }];
  });
  return {
    ...topology,
    ...(usual === null ? {} : { defaults: { ...topology.defaults, boundary: usual } }),
    clusters: Object.fromEntries(clusters),
  };
}

const mostOf = (values: readonly BoundaryState[]): BoundaryState =>
  values.filter((it) => it === 'closed').length * 2 >= values.length ? 'closed' : 'open';

type Ends = readonly [string, string];

/** Adds the key to the entry of the link; one for a link of a hub may have none yet. */
function withLinkKey(topology: Topology, ends: Ends, boundary: 'open' | 'closed'): Topology {
  const isLink = (it: LinkEntry): boolean => {
    const between = Array.isArray(it) ? it : (it as { readonly between?: unknown }).between;
    return Array.isArray(between) && ends.every((end) => (between as readonly unknown[]).includes(end));
  };
  const keyed = (it: LinkEntry): LinkEntry =>
    isLink(it) ? ({ ...(Array.isArray(it) ? { between: it } : it), boundary } as LinkEntry) : it;
  for (const kind of ['peerings', 'shortcuts'] as const) {
    const entries = topology[kind] ?? [];
    if (entries.some(isLink)) return { ...topology, [kind]: entries.map(keyed) };
  }
  const between: [string, string] = [...ends];
  return { ...topology, peerings: [...(topology.peerings ?? []), { between, boundary }] };
}

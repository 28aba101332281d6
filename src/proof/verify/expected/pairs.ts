import { by, byCodeUnit, largest, smallest, sortedUnique } from '../../../base/core/collections.ts';
import type { Span } from '../../../base/source/source.ts';
import type { ClusterDeclaration, Declaration, LinkDeclaration } from '../../../fleet/topology/declaration.ts';
import type { DecidedBefore } from './recorded.ts';

export type LinkKind = 'hub' | 'peering' | 'shortcut';

/** Two clusters that the topology links, before any decision about the link. */
export interface Pair {
  readonly kind: LinkKind;
  readonly at: Span;
  /** Ends in order: the spoke of a hub link first, otherwise the name that sorts first. */
  readonly ends: readonly [ClusterDeclaration, ClusterDeclaration];
  /** The hub of a hub link. */
  readonly hub: ClusterDeclaration | null;
  /** The hubs that both ends of a shortcut share, in order of name; empty for other links. */
  readonly commonHubs: readonly string[];
  /** The entry of `peerings` or `shortcuts`. */
  readonly options: LinkDeclaration | null;
}

/** Every spoke with each of its hubs, every entry of `peerings` and of `shortcuts`; none with a retired end. */
export function listPairs(declaration: Declaration): readonly Pair[] {
  const clusters = new Map(declaration.clusters.map((it) => [it.name, it]));
  const hubs = new Map(declaration.clusters.map((it) => [it.name, hubsOf(it, declaration.hubs, clusters)]));
  const pairs = new Map<string, Pair>();
  for (const spoke of declaration.clusters) {
    for (const name of hubs.get(spoke.name) ?? []) {
      const hub = clusters.get(name);
      if (!hub) continue;
      const ends = [spoke, hub] as const;
      pairs.set(pairKey(spoke, hub), { kind: 'hub', at: spoke.at, ends, hub, commonHubs: [], options: null });
    }
  }
  for (const { kind, entry } of entriesOf(declaration)) {
    const [a, b] = entry.between.map(({ value }) => clusters.get(value)).sort(by((it) => it?.name ?? ''));
    if (!a || !b) continue;
    const known = pairs.get(pairKey(a, b));
    const shared = (hubs.get(a.name) ?? []).filter((it) => hubs.get(b.name)?.includes(it));
    const commonHubs = kind === 'shortcut' ? shared : [];
    const pair: Pair = known ?? { kind, at: entry.at, ends: [a, b], hub: null, commonHubs, options: null };
    pairs.set(pairKey(a, b), { ...pair, at: entry.at, options: entry });
  }
  return [...pairs.values()].filter(({ ends }) => !ends.some((it) => it.retired));
}

const pairKey = (...ends: readonly ClusterDeclaration[]): string =>
  ends
    .map((it) => it.name)
    .sort(byCodeUnit)
    .join('/');

const entriesOf = ({ peerings, shortcuts }: Declaration) => [
  ...peerings.map((entry) => ({ kind: 'peering' as const, entry })),
  ...shortcuts.map((entry) => ({ kind: 'shortcut' as const, entry })),
];

/**
 * The hubs that a cluster names itself, otherwise the fleet's unless it is one of them. A retired cluster is never a
 * hub.
 */
function hubsOf(
  { name, hubs, retired }: ClusterDeclaration,
  fleet: Declaration['hubs'],
  clusters: ReadonlyMap<string, ClusterDeclaration>,
): readonly string[] {
  if (retired) return [];
  const named = hubs ?? (fleet.some((it) => it.value === name) ? [] : fleet);
  const others = named.map((it) => it.value).filter((it) => it !== name);
  return sortedUnique(others.filter((it) => clusters.get(it)?.retired === false));
}

interface ServingEnd {
  readonly server: string;
  /** True when either end could serve and only their names decide. */
  readonly isFree: boolean;
}

/**
 * The address that peers dial by default: `dial`, the first address, or the fixed address of a load balancer. A link may have
 * another type of Service than its cluster.
 */
export function dialledAddressOf({ gateway }: ClusterDeclaration, options: LinkDeclaration | null): string | null {
  const { dial, addresses, loadBalancerIP } = gateway;
  const service = options?.service?.value ?? gateway.service;
  return dial.address?.value ?? addresses[0]?.value ?? (service === 'LoadBalancer' ? loadBalancerIP : null);
}

/**
 * The end that serves: the one that the link names; otherwise the one that prefers to serve; otherwise the only one
 * that can be dialled and may serve; otherwise the hub; otherwise the name that sorts first.
 */
export function servingEnd({ ends, hub, options }: Pair): ServingEnd {
  const [a, b] = ends;
  if (options?.server) return { server: options.server.value, isFree: false };
  const [some, ...others] = ends.filter(
    (it) => it.gateway.server !== 'never' && dialledAddressOf(it, options) !== null,
  );
  const preferred = [some, ...others].filter((it) => it?.gateway.server === 'prefer');
  if (preferred.length === 1 && preferred[0]) return { server: preferred[0].name, isFree: false };
  if (some && others.length === 0) return { server: some.name, isFree: false };
  if (hub) return { server: hub.name, isFree: false };
  return { server: a.name < b.name ? a.name : b.name, isFree: true };
}

/**
 * The join number of each pair. Links of the lock keep theirs; new links follow: hub links before others, then by
 * `order` (a link joins with the later of its ends, and a hub exists from the start), then by name.
 */
export function joinOrder(
  pairs: readonly Pair[],
  order: readonly string[],
  before: DecidedBefore,
  names: ReadonlyMap<Pair, string>,
): ReadonlyMap<Pair, number> {
  const places = new Map(order.map((name, i) => [name, i]));
  const ranked = pairs.map((pair) => {
    const [a, b] = pair.ends;
    const joining = pair.ends.filter((it) => it !== pair.hub).map((it) => places.get(it.name) ?? order.length);
    return {
      pair,
      kept: before.join(a.name, b.name),
      rank: [pair.hub ? 0 : 1, largest(joining), smallest(joining)] as const,
      name: names.get(pair) ?? '',
    };
  });
  type Ranked = (typeof ranked)[number];
  const byRank = (x: Ranked, y: Ranked): number =>
    x.rank.map((it, i) => it - (y.rank[i] ?? 0)).find((it) => it !== 0) ?? byCodeUnit(x.name, y.name);
  const known = ranked.filter((it) => it.kept !== null).sort((x, y) => (x.kept ?? 0) - (y.kept ?? 0) || byRank(x, y));
  const added = ranked.filter((it) => it.kept === null).sort(byRank);
  const joins = new Map<Pair, number>();
  let last = 0;
  // Two branches may have assigned the same number: the later link gets the next one.
  for (const { pair, kept } of [...known, ...added]) {
    last = Math.max(last + 1, kept ?? 0);
    joins.set(pair, last);
  }
  return joins;
}

/**
 * The names of links, such as `rome/europe`: the name in the lock; otherwise a cluster that is new to the lock comes
 * first, and of two new ones that with more links.
 */
export function namesOfLinks(pairs: readonly Pair[], before: DecidedBefore): ReadonlyMap<Pair, string> {
  const counts = new Map<string, number>();
  for (const { ends } of pairs) for (const { name } of ends) counts.set(name, (counts.get(name) ?? 0) + 1);
  const newness = (name: string): number => (before.clusters.has(name) ? 0 : (counts.get(name) ?? 0));
  return new Map(
    pairs.map((pair) => {
      const [a, b] = pair.ends.map((it) => it.name) as [string, string];
      const turned = !before.isEmpty && newness(b) > newness(a);
      return [pair, before.nameOf(a, b) ?? (turned ? `${b}/${a}` : `${a}/${b}`)];
    }),
  );
}

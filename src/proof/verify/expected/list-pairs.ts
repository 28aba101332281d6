import { by, byCodeUnit, sortedUnique } from '../../../base/core/order.ts';
import type { Span } from '../../../base/source/source.ts';
import type { ClusterDeclaration, Declaration, LinkDeclaration } from '../../../fleet/topology/declaration.ts';

export type LinkKind = 'hub' | 'peering' | 'shortcut';

/** Two clusters that the topology links, before any decision about the link. */
export interface Pair {
  readonly kind: LinkKind;
  readonly at: Span;
  /** The spoke of a hub link first, else the name that sorts first. */
  readonly ends: readonly [ClusterDeclaration, ClusterDeclaration];
  /** The hub of a hub link. */
  readonly hub: ClusterDeclaration | null;
  /** For a shortcut the hubs that both ends share, in order of name; else empty. */
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
      pairs.set(keyOf(spoke, hub), { kind: 'hub', at: spoke.at, ends, hub, commonHubs: [], options: null });
    }
  }
  for (const { kind, entry } of entriesOf(declaration)) {
    const [a, b] = entry.between.map(({ value }) => clusters.get(value)).sort(by((it) => it?.name ?? ''));
    if (!a || !b) continue;
    const known = pairs.get(keyOf(a, b));
    const shared = (hubs.get(a.name) ?? []).filter((it) => hubs.get(b.name)?.includes(it));
    const commonHubs = kind === 'shortcut' ? shared : [];
    const pair: Pair = known ?? { kind, at: entry.at, ends: [a, b], hub: null, commonHubs, options: null };
    pairs.set(keyOf(a, b), { ...pair, at: entry.at, options: entry });
  }
  return [...pairs.values()].filter(({ ends }) => !ends.some((it) => it.retired));
}

const keyOf = (...ends: readonly ClusterDeclaration[]): string =>
  ends
    .map((it) => it.name)
    .sort(byCodeUnit)
    .join('/');

const entriesOf = ({ peerings, shortcuts }: Declaration) => [
  ...peerings.map((entry) => ({ kind: 'peering' as const, entry })),
  ...shortcuts.map((entry) => ({ kind: 'shortcut' as const, entry })),
];

/**
 * The hubs that a cluster names itself, else the fleet's unless it is one of them. A retired cluster is never a hub.
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

import { by, byCodeUnit, groupBy, sortedUnique, valueAt } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { ClusterSpec } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Located, Span } from '../../base/source/source.ts';

/** One cluster by name, or all with these labels. */
export type Selector =
  | { readonly kind: 'cluster'; readonly name: string; readonly at: Span }
  | { readonly kind: 'labels'; readonly labels: Readonly<Record<string, string>>; readonly at: Span };

/** A cluster by name, or clusters by labels. */
export function readSelector(written: Reading<string | { readonly [label: string]: string }>): Selector {
  const name = written.scalar();
  if (name) return { kind: 'cluster', name: name.value, at: name.at };
  return { kind: 'labels', labels: written.textMap(), at: written.span };
}

interface Labelled {
  readonly retired: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

/** The clusters that have all of these labels, in the given order. Labels never select a retired cluster. */
export function clustersWithLabels<C extends Labelled>(
  clusters: ReadonlyMap<string, C>,
  wanted: Readonly<Record<string, string>>,
): readonly C[] {
  const [first, ...others] = Object.entries(wanted);
  if (first === undefined) return [...clusters.values()].filter((it) => !it.retired);
  const found = (namesByLabel(clusters).get(labelText(first)) ?? []).flatMap((name) => clusters.get(name) ?? []);
  return found.filter(({ labels }) => others.every(([key, value]) => valueAt(labels, key) === value));
}

/** The clusters with each label; cached per fleet, because it may have as many assertions as clusters. */
const namesByLabel = oncePer((clusters: ReadonlyMap<string, Labelled>) => {
  const active = [...clusters].filter(([, it]) => !it.retired);
  const byLabel = groupBy(active, ([, it]) => Object.entries(it.labels).map(labelText));
  return new Map([...byLabel].map(([label, found]) => [label, found.map(([name]) => name)]));
});

/** A key of a label never contains a colon. */
const labelText = ([key, value]: readonly [string, string]): string => `${key}:${value}`;

/** The facts by which labels select an end of a link. */
export interface LinkableCluster {
  readonly name: string;
  readonly retired: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** Its hubs, sorted. */
  readonly hubs: readonly string[];
}

/** Two clusters, sorted by name, each with the place that selects it. */
export type Pair = readonly [Located<string>, Located<string>];

interface SelectedPairs {
  /** An upper limit: a cluster that both ends select counts more than once. */
  readonly most: number;
  /** Each pair once; computed on demand, because there may be too many. */
  readonly pairs: () => readonly Pair[];
}

/** The pairs of different clusters of which each end selects one. */
export function selectPairs(
  [first, second]: readonly [Selector, Selector],
  clusters: ReadonlyMap<string, LinkableCluster>,
): SelectedPairs {
  const [some, others] = [selectedNames(first, clusters), selectedNames(second, clusters)];
  const most = first === second ? (some.length * (some.length - 1)) / 2 : some.length * others.length;
  const pairs = (): readonly Pair[] => {
    const found = new Map<string, Pair>();
    for (const one of some) {
      for (const other of others) {
        const pair: Pair = byCodeUnit(one.value, other.value) < 0 ? [one, other] : [other, one];
        if (one.value !== other.value && !found.has(pairKey(pair))) found.set(pairKey(pair), pair);
      }
    }
    return [...found.values()];
  };
  return { most, pairs };
}

/** The key of a pair, for either order of its ends. */
export const pairKey = (ends: Pair): string =>
  ends
    .map((it) => it.value)
    .sort(byCodeUnit)
    .join('/');

/** An undeclared name is selected, too: a rule reports it. */
const selectedNames = (
  selector: Selector,
  clusters: ReadonlyMap<string, LinkableCluster>,
): readonly Located<string>[] =>
  selector.kind === 'cluster'
    ? [{ value: selector.name, at: selector.at }]
    : clustersWithLabels(clusters, selector.labels).map((it) => ({ value: it.name, at: selector.at }));

interface Selectable {
  readonly retired: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

/** The clusters that a selector matches, in order of name. Labels never select a retired cluster; its name does. */
export const selectClusters = <C extends Selectable>(
  clusters: ReadonlyMap<string, C>,
  selector: Selector,
): readonly C[] =>
  selector.kind === 'cluster'
    ? [clusters.get(selector.name) ?? bug(`no cluster is called "${selector.name}"`)]
    : clustersWithLabels(clusters, selector.labels);

interface WrittenCluster {
  readonly name: Located<string>;
  /** With the defaults. */
  readonly cluster: Reading<ClusterSpec>;
}

/** The clusters that labels of links can select, by name, sorted. Links are read first: rules of clusters need them. */
export function linkableClusters(
  written: readonly WrittenCluster[],
  hubsOfTheFleet: readonly Located<string>[],
): ReadonlyMap<string, LinkableCluster> {
  const clusters = written
    .map(({ name, cluster }) => ({
      name: name.value,
      retired: cluster.at('retired').orDefault(false).value,
      labels: cluster.at('labels').textMap(),
      hubs: cluster.at('hub').texts() ?? null,
    }))
    .sort(by((it) => it.name));
  const hubs = hubsOf(clusters, hubsOfTheFleet);
  return new Map(clusters.map((it) => [it.name, { ...it, hubs: hubs(it) }]));
}

/** A cluster and its own hubs; `null` when those of the fleet apply. */
interface Spoke {
  readonly name: string;
  readonly retired: boolean;
  readonly hubs: readonly Located<string>[] | null;
}

/** The hubs of each of these clusters, sorted. */
export function hubsOf(
  clusters: readonly Spoke[],
  hubsOfTheFleet: readonly Located<string>[],
): (cluster: Spoke) => readonly string[] {
  const live = new Set(clusters.filter((it) => !it.retired).map((it) => it.name));
  const ofTheFleet = hubsOfTheFleet.map((it) => it.value);
  return ({ name, retired, hubs }) => {
    if (retired) return [];
    const named = hubs?.map((it) => it.value) ?? (ofTheFleet.includes(name) ? [] : ofTheFleet);
    return sortedUnique(named.filter((it) => it !== name && live.has(it)));
  };
}

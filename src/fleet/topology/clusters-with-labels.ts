import { groupBy } from '../../base/core/group-by.ts';

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
  const found = labelled(clusters).get(labelText(first)) ?? [];
  return found.filter(({ labels }) =>
    others.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value),
  );
}

const indexes = new WeakMap<ReadonlyMap<string, Labelled>, ReadonlyMap<string, readonly Labelled[]>>();

/** The clusters with each label; found once for each fleet, because it may have as many assertions as clusters. */
function labelled<C extends Labelled>(clusters: ReadonlyMap<string, C>): ReadonlyMap<string, readonly C[]> {
  const known = indexes.get(clusters);
  if (known) return known as ReadonlyMap<string, readonly C[]>;
  const active = [...clusters.values()].filter((it) => !it.retired);
  const index = groupBy(active, (it) => Object.entries(it.labels).map(labelText));
  indexes.set(clusters, index);
  return index;
}

/** No key of a label contains a colon. */
const labelText = ([key, value]: readonly [string, string]): string => `${key}:${value}`;

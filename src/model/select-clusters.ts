import { groupBy } from '../core/group-by.ts';
import { bug } from '../diagnostics/bug.ts';
import type { Selector } from './network-model.ts';

interface Selectable {
  readonly retired: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

/** The clusters that a selector names, in order of name. Labels never select a retired cluster; its name does. */
export function selectClusters<C extends Selectable>(
  clusters: ReadonlyMap<string, C>,
  selector: Selector,
): readonly C[] {
  if (selector.kind === 'cluster')
    return [clusters.get(selector.name) ?? bug(`no cluster is called "${selector.name}"`)];
  const [first, ...others] = Object.entries(selector.labels);
  if (first === undefined) return [...clusters.values()].filter((it) => !it.retired);
  const found = labelled(clusters).get(labelText(first)) ?? [];
  return found.filter(({ labels }) =>
    others.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value),
  );
}

const indexes = new WeakMap<ReadonlyMap<string, Selectable>, ReadonlyMap<string, readonly Selectable[]>>();

/** The clusters with each label; found once for each fleet, because it may have as many assertions as clusters. */
function labelled<C extends Selectable>(clusters: ReadonlyMap<string, C>): ReadonlyMap<string, readonly C[]> {
  const known = indexes.get(clusters);
  if (known) return known as ReadonlyMap<string, readonly C[]>;
  const active = [...clusters.values()].filter((it) => !it.retired);
  const index = groupBy(active, (it) => Object.entries(it.labels).map(labelText));
  indexes.set(clusters, index);
  return index;
}

/** No key of a label contains a colon. */
const labelText = ([key, value]: readonly [string, string]): string => `${key}:${value}`;

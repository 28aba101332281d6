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
  const wanted = Object.entries(selector.labels);
  return [...clusters.values()].filter(
    (it) => !it.retired && wanted.every(([key, value]) => Object.hasOwn(it.labels, key) && it.labels[key] === value),
  );
}

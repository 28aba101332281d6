import { bug } from '../../base/diagnostics/outcome.ts';
import { clustersWithLabels } from '../topology/selector.ts';
import type { Selector } from './network-model.ts';

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

import type { ClusterDeclaration } from '../../../fleet/topology/declaration.ts';
import type { Selector } from '../../../fleet/topology/selector.ts';

/** The clusters that are not retired and that a selector means: one by name, or each that has all of the labels. */
export function clustersSelectedBy(
  selector: Selector,
  clusters: readonly ClusterDeclaration[],
): readonly ClusterDeclaration[] {
  const present = clusters.filter((it) => !it.retired);
  if (selector.kind === 'cluster') return present.filter((it) => it.name === selector.name);
  const wanted = Object.entries(selector.labels);
  return present.filter(({ labels }) =>
    wanted.every(([key, value]) => Object.entries(labels).some(([has, is]) => has === key && is === value)),
  );
}

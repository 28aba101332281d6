import type { AddressedModel } from '../ipam/addressed-model.ts';
import { type Passage, passagesOf } from './passages.ts';

/** Every ordered pair of clusters, by name of the sender, then of the receiver; a cluster is not paired with itself. */
export function traceAll(model: AddressedModel): readonly Passage[] {
  const passages = passagesOf(model);
  const clusters = [...model.clusters.values()];
  return clusters.flatMap((from) => clusters.filter((it) => it !== from).map((to) => passages.between(from, to)));
}

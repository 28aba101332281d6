import type { AddressedModel } from '../ipam/addressed-model.ts';
import { type PairFate, pairFatesOf } from './pair-fates.ts';

/** Every ordered pair of clusters, by name of the sender, then of the receiver; a cluster is not paired with itself. */
export function traceAll(model: AddressedModel): readonly PairFate[] {
  const pairFates = pairFatesOf(model);
  const clusters = [...model.clusters.values()];
  return clusters.flatMap((from) => clusters.filter((it) => it !== from).map((to) => pairFates.between(from, to)));
}
